import type { Crop, FittedPicture } from './fit-picture.ts';
import type { Rotation, Size } from './picture.ts';

/** How a shape is rotated (ECMA-376 part 1, 20.1.7.6): flipped first, then rotated clockwise, in 60,000ths of a degree. */
export interface ShapeRotation {
  readonly rotation: number;
  readonly flipH: boolean;
  readonly flipV: boolean;
}

export const unrotated: ShapeRotation = { rotation: 0, flipH: false, flipV: false };
const perDegree = 60_000;

const quarter = 90 * perDegree;

/** Rotations for the eight EXIF orientations (CIPA DC-008, 4.6.5, tag 0x0112); none for the first. */
const rotations: readonly (Rotation | undefined)[] = [
  undefined,
  { quarters: 0, isMirrored: true },
  { quarters: 2, isMirrored: false },
  { quarters: 2, isMirrored: true },
  { quarters: 3, isMirrored: true },
  { quarters: 1, isMirrored: false },
  { quarters: 1, isMirrored: true },
  { quarters: 3, isMirrored: false },
];

/** The rotation for an EXIF orientation; undefined for upright pixels. */
export function rotationOf(orientation: number): Rotation | undefined {
  return rotations[orientation - 1];
}

/** Converts between the size of the pixels and the size of the upright picture. */
export function sizeAfter(rotation: Rotation | undefined, { width, height }: Size): Size {
  return isOnSide(rotation) ? { width: height, height: width } : { width, height };
}

/** Size and crop before rotation; Word rotates the shape around its centre. */
export function beforeRotation({ size, crop }: FittedPicture, rotation: Rotation | undefined): FittedPicture {
  const croppedAs: Crop | undefined =
    crop !== undefined && isOnSide(rotation) ? { left: crop.top, top: crop.left } : crop;
  return { size: sizeAfter(rotation, size), crop: croppedAs };
}

/** The rotation of a shape whose picture must be rotated as well. */
export function withRotation(shape: ShapeRotation, { quarters, isMirrored }: Rotation): ShapeRotation {
  const isMirror = shape.flipH !== shape.flipV;
  const angle = quarters * quarter;
  const rotation = (shape.rotation + (isMirror ? 4 * quarter - angle : angle)) % (4 * quarter);
  return { rotation, flipH: shape.flipH !== isMirrored, flipV: shape.flipV };
}

function isOnSide(rotation: Rotation | undefined): boolean {
  return rotation !== undefined && rotation.quarters % 2 === 1;
}
