import type { Run } from './text.ts';
import { escapeXml } from './xml.ts';

export type Picture = {
  /** The file name under `word/media`. */
  readonly file: string;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Alternative text; empty for decoration. */
  readonly alt: string;
};

const emuPerMm = 36_000;
const emu = (mm: number): number => Math.round(mm * emuPerMm);

/** An inline picture. */
export function inlinePicture(picture: Picture): Run {
  const inner = `${extent(picture)}<wp:effectExtent l="0" t="0" r="0" b="0"/>${graphic(picture)}`;
  return drawing(`<wp:inline distT="0" distB="0" distL="0" distR="0">${inner}</wp:inline>`);
}

/** A picture behind the text, positioned relative to the corner of the page. */
export function pagePicture(picture: Picture, place: { readonly leftMm: number; readonly topMm: number }): Run {
  const anchor =
    '<wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="251658240" behindDoc="1" ' +
    'locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>' +
    `<wp:positionH relativeFrom="page"><wp:posOffset>${emu(place.leftMm)}</wp:posOffset></wp:positionH>` +
    `<wp:positionV relativeFrom="page"><wp:posOffset>${emu(place.topMm)}</wp:posOffset></wp:positionV>`;
  const inner = `${extent(picture)}<wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/>${graphic(picture)}`;
  return drawing(`${anchor}${inner}</wp:anchor>`);
}

const drawing = (content: string): Run => ({ runXml: `<w:r><w:drawing>${content}</w:drawing></w:r>` });
const extent = (picture: Picture): string => `<wp:extent cx="${emu(picture.widthMm)}" cy="${emu(picture.heightMm)}"/>`;

function graphic(picture: Picture): string {
  const size = `cx="${emu(picture.widthMm)}" cy="${emu(picture.heightMm)}"`;
  const described = picture.alt === '' ? '' : ` descr="${escapeXml(picture.alt)}"`;
  return [
    `<wp:docPr id="docPr:next" name="Picture docPr:same"${described}/>`,
    '<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>',
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>',
    `<pic:nvPicPr><pic:cNvPr id="docPr:same" name="${picture.file}"/><pic:cNvPicPr/></pic:nvPicPr>`,
    `<pic:blipFill><a:blip r:embed="rel:media/${picture.file}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>`,
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm>`,
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>',
  ].join('');
}
