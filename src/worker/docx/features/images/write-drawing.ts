import type { DrawingNames } from './drawing-names.ts';
import type { FittedPicture } from './fit-picture.ts';
import { type ShapeTurn, type Turn, unturned, withTurn } from './rotation.ts';

/** A picture that is part of the package, ready to be shown in one place. Size and crop are those before it is turned. */
export interface ShownPicture extends FittedPicture {
  readonly turn: Turn | undefined;
  readonly relationshipId: string;
  readonly drawingId: number;
  /** The alternative text, empty for a picture that only decorates. */
  readonly alt: string;
  readonly names: DrawingNames;
}

/** The picture as `w:drawing`, in line with the text (ECMA-376 part 1, 20.4.2.8), to stand inside `w:t` of a run. */
export function writeDrawing(picture: ShownPicture): string {
  const { drawingId, names, size, turn } = picture;
  const shape = turn === undefined ? unturned : withTurn(unturned, turn);
  const named = `id="${drawingId}" name="Picture ${drawingId}" descr="${escapeAttribute(picture.alt)}"`;
  const extent = `cx="${size.width}" cy="${size.height}"`;
  return (
    `</w:t><w:drawing><wp:inline xmlns:wp="${names.wp}" distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/>` +
    `<wp:docPr ${named}/><wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${names.a}" noChangeAspect="1"/>` +
    `</wp:cNvGraphicFramePr><a:graphic xmlns:a="${names.a}"><a:graphicData uri="${names.pic}">` +
    `<pic:pic xmlns:pic="${names.pic}"><pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill>${writeFill(picture, 'a:')}</pic:blipFill><pic:spPr>${openTransform('a:xfrm', shape)}<a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>' +
    '</w:drawing><w:t xml:space="preserve">'
  );
}

/** The start tag of the transform of a shape (`a:xfrm`). */
export function openTransform(name: string, { rotation, flipH, flipV }: ShapeTurn): string {
  const attributes = [rotation === 0 ? '' : ` rot="${rotation}"`, flipH ? ' flipH="1"' : '', flipV ? ' flipV="1"' : ''];
  return `<${name}${attributes.join('')}>`;
}

/** The content of `pic:blipFill`: which picture, what is cut off, and that it fills its shape. */
export function writeFill({ relationshipId, crop, names }: ShownPicture, prefix: string): string {
  const cut =
    crop === undefined ? '' : `<${prefix}srcRect l="${crop.left}" t="${crop.top}" r="${crop.left}" b="${crop.top}"/>`;
  return (
    `<${prefix}blip xmlns:r="${names.r}" r:embed="${relationshipId}"/>${cut}` +
    `<${prefix}stretch><${prefix}fillRect/></${prefix}stretch>`
  );
}

export function escapeAttribute(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return escaped.replace(/[\n\r\t]+/g, ' ');
}
