import { AppError } from '../../../../shared/errors.ts';

/** Different assets that the data of one document may refer to; published in docs/reference. */
export const mostAssets = 100;

/** Bytes of pictures kept with the account, by the id or name under which the data asks for them; null for none. */
export type Assets = ReadonlyMap<string, Uint8Array | null>;

/** The data refers to assets that were not given to the render; with them it may be run again. */
export class AssetsNeeded extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super('assets are needed');
    this.name = 'AssetsNeeded';
    this.names = names;
  }
}

/** Looks up assets for one render and remembers those that were not given. */
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
