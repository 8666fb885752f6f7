import { hash } from 'node:crypto';
import type { DocumentProperties } from '../document/tree.ts';
import type { FontFace } from '../fonts/font-face.ts';
import type { FontSubsetter } from '../fonts/font-subset.ts';
import type { Page } from '../layout/page.ts';
import { drawPage, pageLength } from './draw-page.ts';
import { embedFont, UsedFont } from './embed-font.ts';
import { embedPicture } from './embed-picture.ts';
import { findNoteEnds, linksOf } from './links-of.ts';
import { PageMarks } from './page-marks.ts';
import { PdfObjects, textString } from './pdf-objects.ts';
import { declareStandards, producer, type Standards, utcTime, withRequired } from './standards.ts';
import { StructureTree } from './structure-tree.ts';
import { writeOutline } from './write-outline.ts';

/** Writes pages as PDF 1.7 (ISO 32000-1). Equal pages give equal bytes. Throws UnknownFeature. */
export function writePdf(
  pages: readonly Page[],
  ofDocument: DocumentProperties,
  standards: Standards,
  subsetter: FontSubsetter,
): Uint8Array {
  const properties = withRequired(ofDocument, standards);
  const objects = new PdfObjects();
  const [catalog, tree, resources] = [objects.reserve(), objects.reserve(), objects.reserve()];
  const fonts = new Map<FontFace, UsedFont>();
  const fontOf = (face: FontFace): UsedFont => {
    const font = fonts.get(face) ?? new UsedFont(face, `F${fonts.size + 1}`);
    fonts.set(face, font);
    return font;
  };
  const pictures = new Map<string, number>();
  const nameOf = (bytes: Buffer): string => {
    const key = digestOf(bytes);
    const number = pictures.get(key) ?? embedPicture(objects, bytes, key);
    pictures.set(key, number);
    return `P${number}`;
  };
  const kids = pages.map(() => objects.reserve());
  const structure = new StructureTree(objects, kids);
  const places = findNoteEnds(pages, kids);
  for (const [index, page] of pages.entries()) {
    const marks = new PageMarks(structure, index);
    const content = objects.addStream('', Buffer.from(drawPage(page, { fontOf, nameOf }, marks), 'latin1'));
    // Not rounded, because renderers scale by it, and a rule may end at the edge of a pixel.
    const box = [page.geometry.width, page.geometry.height].map(pageLength).join(' ');
    const keys = marks.links.map(({ entry }) => entry);
    const annotations = linksOf(page, places, keys);
    const links = marks.links.map(({ node }, at) => `${structure.addLink(annotations[at] ?? '', node, index)} 0 R`);
    const annotated = links.length === 0 ? '' : ` /Annots [${links.join(' ')}] /Tabs /S`;
    objects.set(
      kids[index] ?? 0,
      `<</Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${box}] /Resources ${resources} 0 R /Contents ${content} 0 R${annotated}${structure.entryOf(index)}>>`,
    );
  }
  const names = [...fonts.values()].map((font) => `/${font.name} ${embedFont(objects, font, subsetter)} 0 R`);
  const shown = [...pictures.values()].map((number) => `/P${number} ${number} 0 R`);
  objects.set(resources, `<</Font <<${names.join(' ')}>> /XObject <<${shown.join(' ')}>>>>`);
  objects.set(tree, `<</Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`);
  const language = properties.language === undefined ? '' : ` /Lang ${textString(properties.language)}`;
  const outline = writeOutline(objects, pages, kids);
  const outlines = outline === undefined ? '' : ` /Outlines ${outline} 0 R`;
  const marked = ` /MarkInfo <</Marked true>> /StructTreeRoot ${structure.write()} 0 R`;
  const declared = declareStandards(objects, properties, standards);
  objects.set(catalog, `<</Type /Catalog /Pages ${tree} 0 R${outlines}${language}${marked}${declared}>>`);
  return objects.end(catalog, objects.add(`<<${toEntries(properties)}/Producer (${producer})>>`));
}

/** The document information (14.3.3). Its time comes from the document, so that equal documents give equal files. */
function toEntries({ title, subject, keywords, author, created }: DocumentProperties): string {
  const texts = { Title: title, Subject: subject, Keywords: keywords, Author: author };
  const entries = Object.entries(texts).map(([key, text]) =>
    text === undefined ? '' : `/${key} ${textString(text)} `,
  );
  const time = utcTime(created)?.replaceAll(/[-T:]/g, '');
  return `${entries.join('')}${time === undefined ? '' : `/CreationDate (D:${time}) `}`;
}

const digests = new WeakMap<Buffer, string>();

/** SHA-256 of a picture. Many documents share the same bytes, which are hashed only once. */
function digestOf(picture: Buffer): string {
  const digest = digests.get(picture) ?? hash('sha256', picture, 'hex');
  digests.set(picture, digest);
  return digest;
}
