import type { Picture } from '../document/tree.ts';
import { type Canvas, drawBoxRule, drawFrame, drawShading } from './draw-areas.ts';
import { drawPicture } from './draw-picture.ts';

const sides = ['top', 'right', 'bottom', 'left'] as const;
const white = 'FFFFFF';

interface PicturePlace {
  /** In twips, from the upper left corner of the page. */
  readonly left: number;
  readonly top: number;
}

/**
 * Draws a picture with its background and border. The border is inside the edges, and LibreOffice paints the space
 * below it white. `name` is the picture's resource.
 */
export function drawFramedPicture(picture: Picture, place: PicturePlace, name: string, canvas: Canvas): string {
  const { width, height, frame } = picture;
  if (frame === undefined) return drawPicture(picture, place, name, canvas);
  const { fill, line } = frame;
  const area = { ...place, width, height, of: 'paragraph' } as const;
  const operators: string[] = [];
  if (fill !== undefined) operators.push(drawShading({ kind: 'shading', ...area, color: fill }, canvas));
  else if (line !== undefined) operators.push(drawFrame({ ...area, color: white }, line.width, canvas));
  const inset = line?.width ?? 0;
  const inner = { ...picture, width: width - 2 * inset, height: height - 2 * inset };
  operators.push(drawPicture(inner, { left: place.left + inset, top: place.top + inset }, name, canvas));
  if (line !== undefined) {
    const edges = { ...place, right: place.left + width, bottom: place.top + height };
    for (const side of sides)
      operators.push(drawBoxRule({ kind: 'box-rule', ...edges, ...line, side, ...wholeSide }, canvas));
  }
  return operators.join('\n');
}

const wholeSide = { distance: 0, startInset: 0, endInset: 0 };
