import type { Crop, FittedPicture, Size } from './fit-picture.ts';

/** How the stored pixels become the upright picture: first mirrored left to right, then turned clockwise. */
export interface Turn {
  readonly quarters: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

/** How a shape is turned (ECMA-376 part 1, 20.1.7.6): flipped first, then rotated clockwise, in 60,000ths of a degree. */
export interface ShapeTurn {
  readonly rotation: number;
  readonly flipH: boolean;
  readonly flipV: boolean;
}

export const unturned: ShapeTurn = { rotation: 0, flipH: false, flipV: false };
export const perDegree = 60_000;

const quarter = 90 * perDegree;

/** What the eight orientations of EXIF (CIPA DC-008, 4.6.5, tag 0x0112) ask for; the first one for nothing. */
const turns: readonly (Turn | undefined)[] = [
  undefined,
  { quarters: 0, isMirrored: true },
  { quarters: 2, isMirrored: false },
  { quarters: 2, isMirrored: true },
  { quarters: 3, isMirrored: true },
  { quarters: 1, isMirrored: false },
  { quarters: 1, isMirrored: true },
  { quarters: 3, isMirrored: false },
];

/** The turn of an EXIF orientation, undefined for pixels that are upright already. */
export function turnOf(orientation: number): Turn | undefined {
  return turns[orientation - 1];
}

/** The size of the upright picture from that of its pixels, and the other way round. */
export function sizeAfter(turn: Turn | undefined, { width, height }: Size): Size {
  return isOnSide(turn) ? { width: height, height: width } : { width, height };
}

/** Size and crop of the shape before it is turned, which Word turns around its middle. */
export function beforeTurn({ size, crop }: FittedPicture, turn: Turn | undefined): FittedPicture {
  const turned: Crop | undefined = crop !== undefined && isOnSide(turn) ? { left: crop.top, top: crop.left } : crop;
  return { size: sizeAfter(turn, size), crop: turned };
}

/** The turn of a shape whose picture must be turned as well. */
export function withTurn(shape: ShapeTurn, turn: Turn): ShapeTurn {
  const isMirror = shape.flipH !== shape.flipV;
  const angle = turn.quarters * quarter;
  const rotation = (shape.rotation + (isMirror ? 4 * quarter - angle : angle)) % (4 * quarter);
  return { rotation, flipH: shape.flipH !== turn.isMirrored, flipV: shape.flipV };
}

function isOnSide(turn: Turn | undefined): boolean {
  return turn !== undefined && turn.quarters % 2 === 1;
}
