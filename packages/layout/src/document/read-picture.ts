import { UnknownFeature } from '../unknown-feature.ts';
import { emuLength } from './emu-length.ts';
import { type Anchor, readAnchor } from './read-anchor.ts';
import { readPictureFrame } from './read-picture-frame.ts';
import type { Crop, Picture } from './tree.ts';
import { allowAttributes, childOf, wholeNumber, type XmlElement } from './xml-element.ts';

/** The bytes of a picture by its relationship in the referring part; undefined if the package lacks it. */
export type ReadPicture = (id: string) => Buffer | undefined;

/** Lengths are twips. */
export interface ReadDrawing extends Picture {
  /** Undefined for an inline picture. */
  readonly anchor: Anchor | undefined;
  /** The space beside an inline picture. */
  readonly spaceLeft: number;
  readonly spaceRight: number;
}

/** In hundred-thousandths. If less of the picture remains, LibreOffice's rounding becomes visible. */
const mostCut = 50_000;
const picture = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const harmless: ReadonlySet<string> = new Set([
  ...['wp:extent', 'wp:docPr', 'wp:cNvGraphicFramePr', 'a:graphic', 'wp:simplePos', 'wp:positionH', 'wp:positionV'],
  ...['wp:wrapNone', 'wp:wrapSquare', 'wp:wrapTopAndBottom', 'wp:effectExtent', 'wp14:sizeRelH', 'wp14:sizeRelV'],
]);

/** Reads a `w:drawing` of a single PNG or JPEG, inline or anchored (ECMA-376 part 1, 20.4.2). Throws UnknownFeature. */
export function readDrawing(drawing: XmlElement, readPicture: ReadPicture, isInBody: boolean): ReadDrawing {
  const [frame] = drawing.children;
  if (frame === undefined || drawing.children.length !== 1) throw new UnknownFeature('w:drawing');
  for (const child of frame.children)
    if (!harmless.has(child.name) || child.children.some(isRelativeSize)) throw new UnknownFeature(child.name);
  if (isLink(frame)) throw new UnknownFeature('a picture that is a link');
  const isInline = frame.name === 'wp:inline';
  const extent = required(frame, 'wp:extent');
  const [width, height] = [sizeOf(extent, 'cx'), sizeOf(extent, 'cy')];
  const { id, crop, frame: own } = readBlip(frame);
  if (own?.line !== undefined && Math.min(width, height) <= 2 * own.line.width)
    throw new UnknownFeature('a picture without space between its lines');
  const bytes = readPicture(id);
  if (bytes === undefined) throw new UnknownFeature('a picture that is not in the file');
  return {
    width,
    height,
    bytes,
    crop,
    frame: own,
    description: describe(childOf(frame, 'wp:docPr')),
    anchor: isInline ? undefined : readAnchor(frame, isInBody),
    spaceLeft: isInline && !frame.attributes.has('distL') ? plainSpace : 0,
    spaceRight: isInline && !frame.attributes.has('distR') ? plainSpace : 0,
  };
}

/**
 * LibreOffice ignores the distances of an inline picture (20.4.2.8), but if the file has none, it adds 3.19 mm beside
 * it.
 */
const plainSpace = 181;

/** The alternative text as LibreOffice composes it; undefined for a picture that is marked as decorative. */
function describe(properties: XmlElement | undefined): string | undefined {
  if (properties === undefined) return '';
  if (isDecorative(properties)) return undefined;
  const texts = ['title', 'descr'].map((name) => properties.attributes.get(name)?.trim() ?? '');
  return texts.filter((text) => text !== '').join(' - ');
}

/** The extension of `wp:docPr` that marks a picture as decorative ([MS-ODRAWXML], `decorative`). */
function isDecorative({ name, attributes, children }: XmlElement): boolean {
  if (name === 'adec:decorative') return ['1', 'true'].includes(attributes.get('val') ?? '1');
  return children.some(isDecorative);
}

/** A size relative to the page or its margins (`wp14:pctWidth`). 0 means none. */
function isRelativeSize({ name, text }: XmlElement): boolean {
  return (name === 'wp14:pctWidth' || name === 'wp14:pctHeight') && text.trim() !== '0';
}

/** Whether a picture, or an element in it, is a link. */
function isLink({ name, children }: XmlElement): boolean {
  return name === 'a:hlinkClick' || children.some(isLink);
}

/** The relationship of the picture, which must be shown unchanged, and its cropping. */
function readBlip(drawing: XmlElement): Pick<Picture, 'crop' | 'frame'> & { id: string } {
  const data = required(required(drawing, 'a:graphic'), 'a:graphicData');
  if (data.attributes.get('uri') !== picture) throw new UnknownFeature('a drawing that is not a picture');
  const shown = required(data, 'pic:pic');
  const fill = required(shown, 'pic:blipFill');
  const blip = required(fill, 'a:blip');
  allowAttributes(blip, 'r:embed', 'cstate');
  for (const child of blip.children) if (!isResolution(child)) throw new UnknownFeature('a picture with effects');
  let crop: Crop | undefined;
  for (const child of fill.children) {
    if (child.name === 'a:srcRect') crop = readCrop(child);
    else if (child.name !== 'a:blip' && child.name !== 'a:stretch' && child.attributes.size > 0)
      throw new UnknownFeature(child.name);
  }
  const frame = readPictureFrame(required(shown, 'pic:spPr'));
  return { id: blip.attributes.get('r:embed') ?? '', crop, frame };
}

/** `a:srcRect` (20.1.8.55). Negative cropping is left to LibreOffice. */
function readCrop(element: XmlElement): Crop | undefined {
  if (element.attributes.size === 0) return undefined;
  allowAttributes(element, 'l', 't', 'r', 'b');
  const cut = (name: string): number => (element.attributes.has(name) ? wholeNumber(element, name, 0, mostCut) : 0);
  const crop = { left: cut('l'), top: cut('t'), right: cut('r'), bottom: cut('b') };
  if (crop.left + crop.right > mostCut || crop.top + crop.bottom > mostCut)
    throw new UnknownFeature('a small part of a picture');
  return crop;
}

/** An extension that says how Office downsamples the picture in its file ([MS-ODRAWXML], `useLocalDpi`). */
function isResolution({ name, children }: XmlElement): boolean {
  return (
    name === 'a:extLst' &&
    children.every((extension) => extension.children.every((one) => one.name === 'a14:useLocalDpi'))
  );
}

function required(element: XmlElement, name: string): XmlElement {
  const child = childOf(element, name);
  if (child === undefined) throw new UnknownFeature(`${element.name} without ${name}`);
  return child;
}

function sizeOf(extent: XmlElement, name: string): number {
  const size = emuLength(extent.attributes.get(name));
  if (size < 0) throw new UnknownFeature('the length of a picture');
  return size;
}
