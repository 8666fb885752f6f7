import { TextEdits } from '@docmill/word/text-edits';
import { decodeEntities, readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { Size } from '../../../core/pictures/picture.ts';
import { type ShownPicture, writeAttribute, writeFill } from '../../../core/pictures/write-drawing.ts';
import { type RotationPlace, rotateShape } from './rotate-shape.ts';

/** A template picture whose alternative text is a tag. */
export interface Placeholder {
  /** The tag, including its braces. */
  readonly tag: string;
  readonly box: Size;
  /** Markup that other pictures refer to, kept even without a picture. */
  readonly kept?: string | undefined;
  /** The drawing with another picture in its box, for insertion inside a run's `w:t`. */
  fill(picture: ShownPicture): string;
}

interface Found extends RotationPlace {
  extent: XmlTag | undefined;
  docPr: XmlTag | undefined;
  named: XmlTag | undefined;
  fillStart: XmlTag | undefined;
  fillEnd: XmlTag | undefined;
  shape: XmlTag | undefined;
  readonly offsets: { readonly start: number; readonly end: number; readonly isAcross: boolean }[];
  /** Sizes in percent of the page, which override those in EMU. */
  readonly shares: { readonly start: number; readonly end: number }[];
}

/** Reads a `w:drawing`; undefined unless it is a picture with a tag as its alternative text. */
export function readPlaceholder(xml: string): Placeholder | undefined {
  const found = findParts(xml);
  if (found === undefined) return undefined;
  const { docPr, extent } = found;
  if (docPr === undefined || extent === undefined) return undefined;
  const texts = readAttributes(xml, docPr).filter(({ local }) => local === 'descr' || local === 'title');
  const tag = placeholderTag(texts.map(({ value }) => value));
  const values = new Map(readAttributes(xml, extent).map(({ local, value }) => [local, Number(value)]));
  const box = { width: values.get('cx') ?? 0, height: values.get('cy') ?? 0 };
  if (tag === undefined || !(box.width > 0) || !(box.height > 0)) return undefined;
  return { tag, box, fill: (picture) => `</w:t>${fill(xml, found, box, picture)}<w:t xml:space="preserve">` };
}

/** The first of the alternative texts that is a picture tag. */
export function placeholderTag(texts: readonly string[]): string | undefined {
  return texts.map((text) => text.trim()).find((text) => text.startsWith('{%'));
}

function findParts(xml: string): Found | undefined {
  const found: Found = {
    extent: undefined,
    docPr: undefined,
    named: undefined,
    fillStart: undefined,
    fillEnd: undefined,
    prefix: '',
    transform: undefined,
    properties: undefined,
    shape: undefined,
    offsets: [],
    shares: [],
  };
  let pictures = 0;
  let across: boolean | undefined;
  let isInTransform = false;
  let isOther = false;
  scanXmlTags(xml, (tag) => {
    const { local, kind } = tag;
    if (local === 'pic' && kind === 'open') pictures++;
    else if (local === 'txbxContent' || local === 'wgp' || local === 'wpc') isOther = true;
    else if (local === 'extent') found.extent ??= tag;
    else if (local === 'docPr' && kind !== 'close') found.docPr ??= tag;
    else if (local === 'cNvPr' && kind !== 'close') found.named ??= tag;
    else if (local === 'blipFill') {
      if (kind === 'open') found.fillStart ??= tag;
      if (kind === 'close') found.fillEnd ??= tag;
    } else if (local === 'blip' && found.prefix === '') found.prefix = prefixOf(xml, tag);
    else if (local === 'spPr' && kind !== 'close') found.properties ??= tag;
    else if (local === 'xfrm') {
      isInTransform = kind === 'open';
      if (kind !== 'close') found.transform ??= tag;
    } else if (local === 'ext' && isInTransform) found.shape ??= tag;
    else if (local === 'positionH' || local === 'positionV')
      across = kind === 'open' ? local === 'positionH' : undefined;
    else if (local === 'posOffset' && kind === 'open' && across !== undefined) {
      found.offsets.push({ start: tag.end, end: xml.indexOf('<', tag.end), isAcross: across });
    } else if ((local === 'pctWidth' || local === 'pctHeight') && kind === 'open') {
      found.shares.push({ start: tag.end, end: xml.indexOf('<', tag.end) });
    }
  });
  return pictures === 1 && !isOther && found.fillEnd !== undefined ? found : undefined;
}

function fill(xml: string, found: Found, box: Size, picture: ShownPicture): string {
  const { extent, docPr, named, fillStart, fillEnd, shape } = found;
  const { size } = picture;
  const edits = new TextEdits();
  for (const tag of [extent, shape]) setAttributes(xml, tag, edits, { cx: `${size.width}`, cy: `${size.height}` });
  const isDescribed = docPr !== undefined && readAttributes(xml, docPr).some(({ local }) => local === 'descr');
  const title = isDescribed ? '' : picture.alt;
  setAttributes(xml, docPr, edits, { id: `${picture.drawingId}`, descr: picture.alt, title });
  setAttributes(xml, named, edits, { descr: picture.alt, title: '' });
  if (fillStart !== undefined && fillEnd !== undefined)
    edits.replace(fillStart.end, fillEnd.start, writeFill(picture, found.prefix));
  rotateShape(xml, found, picture, edits);
  for (const { start, end } of found.shares) edits.replace(start, end, '0');
  // A floating picture smaller than its box is centred in it.
  for (const { start, end, isAcross } of found.offsets) {
    const spare = isAcross ? box.width - size.width : box.height - size.height;
    const offset = Number(decodeEntities(xml.slice(start, end)));
    if (Number.isFinite(offset)) edits.replace(start, end, `${Math.round(offset + spare / 2)}`);
  }
  return edits.apply(xml);
}

function setAttributes(
  xml: string,
  tag: XmlTag | undefined,
  edits: TextEdits,
  values: Readonly<Record<string, string>>,
): void {
  if (tag === undefined) return;
  for (const { local, name, start, end } of readAttributes(xml, tag)) {
    const value = values[local];
    if (value !== undefined && name === local) edits.replace(start, end, `${name}="${writeAttribute(value)}"`);
  }
}

function prefixOf(xml: string, tag: XmlTag): string {
  return /^<([\w.-]+:)?/.exec(xml.slice(tag.start, tag.end))?.[1] ?? '';
}
