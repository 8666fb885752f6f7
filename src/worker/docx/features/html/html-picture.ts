import { fitPicture } from '../../core/pictures/fit-picture.ts';
import { imageStore } from '../../core/pictures/image-store.ts';
import { readLength } from '../../core/pictures/length.ts';
import type { OpenedPicture, Size } from '../../core/pictures/picture.ts';
import { placePicture } from '../../core/pictures/place-picture.ts';
import { writeDrawing } from '../../core/pictures/write-drawing.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import type { PictureInline } from './blocks.ts';
import { HtmlProblem } from './html-limits.ts';

interface PicturePlace {
  readonly space: Size;
  readonly mayLink: boolean;
  /** The JSON path of the HTML. */
  readonly path: () => string;
}

const maxAltChars = 1_000;
const shownAddressChars = 40;

/** A picture as a child of a run; nothing if its asset must be loaded first. Throws HtmlProblem. */
export function writePicture(
  picture: PictureInline,
  { space, mayLink, path }: PicturePlace,
  state: Pick<RenderState, 'render' | 'partName'>,
): string {
  const { source, address, link } = picture;
  const opening = imageStore(state).open(source);
  if (opening === 'needed') return '';
  if ('problem' in opening) {
    const shown = address.length > shownAddressChars ? `${address.slice(0, shownAddressChars)}…` : address;
    throw new HtmlProblem(`has the picture "${shown}", which ${opening.problem}`);
  }
  const { width, height } = sizeOf(picture, opening, space);
  const requested = { width, height, fit: 'stretch' } as const;
  const alt = picture.alt.slice(0, maxAltChars);
  const placed = placePicture(opening, { requested, space, alt, path: path() }, state);
  const linkId = link === undefined || !mayLink ? undefined : state.render.additions.addHyperlink(state.partName, link);
  return writeDrawing({ ...placed, linkId });
}

/** The size that the HTML sets, or the natural size, reduced to fit the space. */
function sizeOf({ width, height }: PictureInline, { natural }: OpenedPicture, space: Size): Size {
  const requested = { width: emuOf(width, space.width), height: emuOf(height), fit: 'stretch' } as const;
  const { size } = fitPicture(natural, requested, space);
  const ratio = Math.min(1, space.width / size.width, space.height / size.height);
  return { width: Math.max(1, Math.round(size.width * ratio)), height: Math.max(1, Math.round(size.height * ratio)) };
}

/** A length of HTML or CSS in EMU; undefined, as in browsers, if it cannot be read. */
function emuOf(length: string | undefined, full?: number): number | undefined {
  const read = length === undefined ? undefined : readLength(length, full);
  return read !== undefined && 'emu' in read ? read.emu : undefined;
}
