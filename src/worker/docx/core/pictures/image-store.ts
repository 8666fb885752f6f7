import { AppError } from '../../../../shared/errors.ts';
import type { AssetLookup } from '../render/assets.ts';
import { oncePerRender } from '../render/render-state.ts';
import { decodeBase64 } from './decode-picture.ts';
import { openPicture } from './open-picture.ts';
import type { Bitmap, OpenedPicture, PictureDrawing, PictureOpening } from './picture.ts';
import { pictureLimits } from './picture-limits.ts';

/** Where the bytes of a picture are: in the data, as base64 or a data URL, or in the account's assets. */
export type PictureSource =
  | { readonly kind: 'bytes'; readonly text: string }
  | { readonly kind: 'asset'; readonly name: string };

/** The pictures of a render. */
export const imageStore = oncePerRender(({ assets }) => new ImageStore(assets));

/** Opens each picture of one render once and enforces the picture limits. */
class ImageStore {
  readonly #assets: AssetLookup;
  readonly #opened = new Map<string, PictureOpening | 'needed'>();
  readonly #bitmaps = new Map<OpenedPicture, Map<number, Bitmap>>();
  #placed = 0;
  #bytes = 0;

  constructor(assets: AssetLookup) {
    this.#assets = assets;
  }

  /** The opened picture, or `needed` if its asset must be loaded first. */
  open(source: PictureSource): PictureOpening | 'needed' {
    const key = source.kind === 'asset' ? `asset ${source.name}` : source.text;
    return this.#once(key, () => (source.kind === 'asset' ? this.#openAsset(source.name) : openText(source.text)));
  }

  draw(drawing: PictureDrawing, text: string): PictureOpening | 'needed' {
    return this.#once(`${drawing.key} ${text}`, () => drawing.draw(text));
  }

  /** The bytes to embed for a picture. Throws `render_limit` when the document has too many or too large ones. */
  bitmap(picture: OpenedPicture, widthEmu: number): Bitmap {
    const known = this.#bitmaps.get(picture) ?? new Map<number, Bitmap>();
    this.#bitmaps.set(picture, known);
    const found = known.get(widthEmu) ?? picture.bitmap(widthEmu);
    if (![...known.values()].some(({ bytes }) => bytes === found.bytes)) this.#spend(found.bytes.length);
    known.set(widthEmu, found);
    return found;
  }

  /** Counts one more picture in the document. */
  place(): void {
    if (++this.#placed > pictureLimits.placed) throw tooMuch(`more than ${pictureLimits.placed} pictures`);
  }

  #once(key: string, open: () => PictureOpening | 'needed'): PictureOpening | 'needed' {
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opened = open();
    this.#opened.set(key, opened);
    return opened;
  }

  #openAsset(name: string): PictureOpening | 'needed' {
    const bytes = this.#assets.find(name);
    if (bytes === undefined) return 'needed';
    if (bytes === null) return { problem: 'names an asset that does not exist' };
    return openPicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    const megabytes = pictureLimits.totalBytes / 1024 / 1024;
    if (this.#bytes > pictureLimits.totalBytes) throw tooMuch(`pictures of more than ${megabytes} MB`);
  }
}

function openText(text: string): PictureOpening {
  const decoded = decodeBase64(text);
  return 'problem' in decoded ? decoded : openPicture(decoded.bytes);
}

function tooMuch(what: string): AppError {
  const message = `The document holds ${what}`;
  const hint = 'use smaller pictures, or render fewer rows in one document';
  return new AppError('render_limit', message, { details: [{ type: 'Message', message, hint }] });
}
