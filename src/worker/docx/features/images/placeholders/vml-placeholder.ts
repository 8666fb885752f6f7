import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { emuPer } from '../../../core/pictures/length.ts';
import type { Size } from '../../../core/pictures/picture.ts';
import { type ShapeRotation, withRotation } from '../../../core/pictures/rotation.ts';
import { type ShownPicture, writeAttribute, writeDrawing } from '../../../core/pictures/write-drawing.ts';
import { type Placeholder, placeholderTag } from './placeholder.ts';

interface Found {
  readonly shape: XmlTag;
  readonly picture: XmlTag;
  /** `v:imagedata` with its end tag, if it has one. */
  readonly pictureEnd: number;
  /** `v:shapetype`, defined in the first picture of its kind and referenced by all others. */
  readonly type: { readonly start: number; readonly end: number } | undefined;
}

const shapes = new Set(['shape', 'rect', 'roundrect', 'oval']);
/** VML's 65,536ths per thousandth of a percent. */
const perShare = 65_536 / 100_000;

/** Reads a `w:pict` (ECMA-376 part 4, 19.1); undefined unless it is a picture with a tag as its alternative text. */
export function readVmlPlaceholder(xml: string): Placeholder | undefined {
  const found = findParts(xml);
  if (found === undefined) return undefined;
  const attributes = readAttributes(xml, found.shape);
  const attributeOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? '';
  const tag = placeholderTag([attributeOf('alt'), attributeOf('title')]);
  const style = readStyle(attributeOf('style'));
  const box = { width: lengthOf(style.get('width')) ?? 0, height: lengthOf(style.get('height')) ?? 0 };
  if (tag === undefined || !(box.width > 0) || !(box.height > 0)) return undefined;
  return {
    tag,
    box,
    kept: keptType(xml, found),
    fill(picture) {
      const isDrawing = mustBeDrawing(style, picture);
      const shown = isDrawing ? writeDrawing(picture) : fill(xml, found, { style, box, picture });
      return `</w:t>${shown}<w:t xml:space="preserve">`;
    },
  };
}

function findParts(xml: string): Found | undefined {
  const open: XmlTag[] = [];
  let found: Omit<Found, 'type'> | undefined;
  let type: Found['type'];
  let isOther = false;
  scanXmlTags(xml, (tag) => {
    const { local, kind } = tag;
    if (local === 'group' || local === 'txbxContent' || local === 'OLEObject' || local === 'control') isOther = true;
    if (shapes.has(local)) {
      if (kind === 'open') open.push(tag);
      if (kind === 'close') open.pop();
    }
    if (local === 'shapetype') type = { start: type?.start ?? tag.start, end: tag.end };
    if (local !== 'imagedata') return;
    const shape = open.at(-1);
    if (kind === 'close' && found !== undefined) found = { ...found, pictureEnd: tag.end };
    else if (found !== undefined || shape === undefined) isOther = true;
    else found = { shape, picture: tag, pictureEnd: tag.end };
  });
  return isOther || found === undefined ? undefined : { ...found, type };
}

interface Filling {
  readonly style: Style;
  readonly box: Size;
  readonly picture: ShownPicture;
}

function keptType(xml: string, { type, shape }: Found): string | undefined {
  if (type === undefined || type.end > shape.start) return undefined;
  return `${xml.slice(0, type.end)}${xml.slice(xml.lastIndexOf('</'))}`;
}

function fill(xml: string, { shape, picture: old, pictureEnd, type }: Found, { style, box, picture }: Filling): string {
  const { size, alt, crop, names, relationshipId } = picture;
  const edits = new TextEdits();
  const spare = { width: box.width - size.width, height: box.height - size.height };
  const resized = movedBy(style, spare, size);
  const changed =
    picture.rotation === undefined ? resized : rotated(resized, withRotation(readRotation(style), picture.rotation));
  const id = `shape${picture.drawingId}`;
  const values: Readonly<Record<string, string>> = { id, style: writeStyle(changed), alt, title: '' };
  for (const { name, local, start, end } of readAttributes(xml, shape)) {
    const value = values[name];
    if (value !== undefined) edits.replace(start, end, `${name}="${writeAttribute(value)}"`);
    // Word's shape number must be unique, and Word would show the old picture from `gfxdata`.
    else if (local === 'spid' || local === 'gfxdata') edits.replace(start, end);
  }
  if (type !== undefined && type.end <= shape.start) edits.replace(type.start, type.end);
  const name = /^<([^\s/>]+)/.exec(xml.slice(old.start, old.end))?.[1] ?? 'v:imagedata';
  const share = (side: number) => `${Math.round(side * perShare)}f`;
  const cut =
    crop === undefined
      ? ''
      : ` cropleft="${share(crop.left)}" cropright="${share(crop.left)}" croptop="${share(crop.top)}" cropbottom="${share(crop.top)}"`;
  edits.replace(old.start, pictureEnd, `<${name} xmlns:r="${names.r}" r:id="${relationshipId}"${cut}/>`);
  return edits.apply(xml);
}

/** LibreOffice does not mirror VML, so an inline picture becomes a drawing instead. */
function mustBeDrawing(style: Style, { rotation }: ShownPicture): boolean {
  return rotation?.isMirrored === true && style.get('position') !== 'absolute' && !style.has('rotation');
}

function readRotation(style: Style): ShapeRotation {
  const flip = style.get('flip') ?? '';
  const [, number = '0', unit] = /^(-?[\d.]{1,12})(fd)?$/.exec(style.get('rotation') ?? '') ?? [];
  const degrees = Number(number) / (unit === 'fd' ? 65_536 : 1);
  return { rotation: Math.round(degrees * 60_000), flipH: flip.includes('x'), flipV: flip.includes('y') };
}

function rotated(style: Style, { rotation, flipH, flipV }: ShapeRotation): Style {
  const changed = new Map(style);
  changed.delete('flip');
  changed.set('rotation', `${rotation / 60_000}`);
  if (flipH || flipV) changed.set('flip', `${flipH ? 'x' : ''}${flipH && flipV ? ' ' : ''}${flipV ? 'y' : ''}`);
  return changed;
}

/** The `style` of a VML shape (ECMA-376 part 4, 19.1.2.19), with lower-case names. */
type Style = ReadonlyMap<string, string>;

const length = /^(-?(?:\d{1,7}(?:\.\d{1,7})?|\.\d{1,7}))(px|pt|pc|mm|cm|in)?$/i;

function readStyle(text: string): Style {
  const style = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) style.set(declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim());
  }
  return style;
}

function writeStyle(style: Style): string {
  return Array.from(style, ([name, value]) => `${name}:${value}`).join(';');
}

/** A length in EMU; without a unit, in pixels. */
function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = 'px'] = length.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * emuPer[unit.toLowerCase() as keyof typeof emuPer];
}

/** The style of a resized shape whose centre does not move. */
function movedBy(style: Style, spare: Size, size: Size): Style {
  const changed = new Map(style);
  changed.set('width', points(size.width));
  changed.set('height', points(size.height));
  // Sizes in percent of the page would override the new size.
  changed.delete('mso-width-percent');
  changed.delete('mso-height-percent');
  for (const [name, whole] of [
    ['margin-left', spare.width],
    ['margin-top', spare.height],
  ] as const) {
    const offset = lengthOf(style.get(name));
    if (offset !== undefined && style.get('position') === 'absolute') changed.set(name, points(offset + whole / 2));
  }
  return changed;
}

function points(emu: number): string {
  return `${Number((emu / emuPer.pt).toFixed(2))}pt`;
}
