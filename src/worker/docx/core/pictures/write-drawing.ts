import { escapeAttribute } from '@docmill/word/escape-xml';
import { relationshipNamespaces } from '@docmill/word/namespaces';
import type { FittedPicture } from './fit-picture.ts';
import type { Rotation } from './picture.ts';
import { type ShapeRotation, unrotated, withRotation } from './rotation.ts';

/** Namespaces of a picture in a Word document: transitional (ECMA-376) or strict (ISO/IEC 29500). */
export interface DrawingNames {
  readonly wp: string;
  readonly a: string;
  readonly pic: string;
  readonly r: string;
}

const transitional: DrawingNames = {
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  r: relationshipNamespaces.transitional,
};
const strict: DrawingNames = {
  wp: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  a: 'http://purl.oclc.org/ooxml/drawingml/main',
  pic: 'http://purl.oclc.org/ooxml/drawingml/picture',
  r: relationshipNamespaces.strict,
};

export function drawingNames(isStrict: boolean): DrawingNames {
  return isStrict ? strict : transitional;
}

/** One use of a picture in the package. Size and crop apply before rotation. */
export interface ShownPicture extends FittedPicture {
  readonly rotation: Rotation | undefined;
  readonly relationshipId: string;
  /** The id of the relationship to the address that it links to. */
  readonly linkId?: string | undefined;
  readonly drawingId: number;
  /** The alternative text; empty for a decorative picture. */
  readonly alt: string;
  readonly names: DrawingNames;
}

/** The picture as an inline `w:drawing` (ECMA-376 part 1, 20.4.2.8), a child of a run. */
export function writeDrawing(picture: ShownPicture): string {
  const { drawingId, names, size, rotation } = picture;
  const shape = rotation === undefined ? unrotated : withRotation(unrotated, rotation);
  const named = `id="${drawingId}" name="Picture ${drawingId}" descr="${writeAttribute(picture.alt)}"`;
  const extent = `cx="${size.width}" cy="${size.height}"`;
  return (
    `<w:drawing><wp:inline xmlns:wp="${names.wp}" distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/>` +
    `${writeProperties(named, picture)}<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${names.a}" noChangeAspect="1"/>` +
    `</wp:cNvGraphicFramePr><a:graphic xmlns:a="${names.a}"><a:graphicData uri="${names.pic}">` +
    `<pic:pic xmlns:pic="${names.pic}"><pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill>${writeFill(picture, 'a:')}</pic:blipFill><pic:spPr>${openTransform('a:xfrm', shape)}<a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline>' +
    '</w:drawing>'
  );
}

function writeProperties(named: string, { linkId, names }: ShownPicture): string {
  if (linkId === undefined) return `<wp:docPr ${named}/>`;
  const link = `<a:hlinkClick xmlns:a="${names.a}" xmlns:r="${names.r}" r:id="${linkId}"/>`;
  return `<wp:docPr ${named}>${link}</wp:docPr>`;
}

/** The start tag of the transform of a shape (`a:xfrm`). */
export function openTransform(name: string, { rotation, flipH, flipV }: ShapeRotation): string {
  const attributes = [rotation === 0 ? '' : ` rot="${rotation}"`, flipH ? ' flipH="1"' : '', flipV ? ' flipV="1"' : ''];
  return `<${name}${attributes.join('')}>`;
}

/** The content of `pic:blipFill`: picture, crop and stretch. */
export function writeFill({ relationshipId, crop, names }: ShownPicture, prefix: string): string {
  const cut =
    crop === undefined ? '' : `<${prefix}srcRect l="${crop.left}" t="${crop.top}" r="${crop.left}" b="${crop.top}"/>`;
  return (
    `<${prefix}blip xmlns:r="${names.r}" r:embed="${relationshipId}"/>${cut}` +
    `<${prefix}stretch><${prefix}fillRect/></${prefix}stretch>`
  );
}

/** A value in double quotes on one line, without characters that XML forbids. */
export function writeAttribute(text: string): string {
  return escapeAttribute(text).replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ');
}
