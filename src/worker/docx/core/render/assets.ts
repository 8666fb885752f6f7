import { AppError } from '../../../../shared/errors.ts';

/** Maximum number of distinct assets that the data of one document may refer to; published in docs/reference. */
export const mostAssets = 100;

/** Bytes of the account's pictures, by the id or name that the data uses; null for an unknown asset. */
export type Assets = ReadonlyMap<string, Uint8Array | null>;

/** The data refers to assets that the render did not receive. Load them and render again. */
export class AssetsNeeded extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super('assets are needed');
    this.name = 'AssetsNeeded';
    this.names = names;
  }
}

/** Looks up assets for one render and collects the missing ones. */
export class AssetLookup {
  readonly #given: Assets;
  readonly #needed = new Set<string>();

  constructor(given: Assets = new Map()) {
    this.#given = given;
  }

  /** The bytes; null when there is no such asset; undefined when they must be loaded first. */
  find(name: string): Uint8Array | null | undefined {
    const found = this.#given.get(name);
    if (found !== undefined) return found;
    this.#needed.add(name);
    if (this.#needed.size > mostAssets) throw tooManyAssets();
    return undefined;
  }

  throwIfNeeded(): void {
    if (this.#needed.size > 0) throw new AssetsNeeded([...this.#needed]);
  }
}

function tooManyAssets(): AppError {
  const message = `The data refers to more than ${mostAssets} assets.`;
  return new AppError('render_limit', message, {
    details: [{ type: 'Message', message, hint: 'render fewer rows in one document' }],
  });
}
