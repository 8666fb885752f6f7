import type { RenderState } from '../render/render-state.ts';
import { fitPicture, type RequestedSize } from './fit-picture.ts';
import { imageStore } from './image-store.ts';
import type { OpenedPicture, Size } from './picture.ts';
import { beforeRotation } from './rotation.ts';
import { drawingNames, type ShownPicture } from './write-drawing.ts';

interface PicturePlace {
  readonly requested: RequestedSize;
  readonly space: Size;
  readonly alt: string;
  /** The JSON path of the picture. */
  readonly path: string;
}

/** Adds a picture to the package for one use in a part. Throws `render_limit` when the document has too many. */
export function placePicture(
  picture: OpenedPicture,
  { requested, space, alt, path }: PicturePlace,
  state: Pick<RenderState, 'render' | 'partName'>,
): ShownPicture {
  const { additions, unprinted } = state.render;
  const images = imageStore(state);
  const fitted = fitPicture(picture.natural, requested, space);
  images.place();
  unprinted.add(path, picture.missing);
  const bitmap = images.bitmap(picture, fitted.size.width);
  return {
    ...beforeRotation(fitted, picture.rotation),
    rotation: picture.rotation,
    relationshipId: additions.addPicture(state.partName, bitmap),
    drawingId: additions.nextDrawingId(),
    alt,
    names: drawingNames(additions.isStrict),
  };
}
