import { UnknownFeature } from '../unknown-feature.ts';
import type { Crop, Picture } from './tree.ts';
import { allowAttributes, childOf, wholeNumber, type XmlElement } from './xml-element.ts';

/** The bytes of a picture by its relationship in the part that shows it; undefined if it is not in the package. */
export type ReadPicture = (id: string) => Buffer | undefined;

/** Lengths are twips. */
export interface ReadDrawing extends Picture {
  /** The place on the page; undefined for a picture in a line. */
  readonly place: { readonly left: number; readonly top: number } | undefined;
  /** Beside a picture in a line. */
  readonly spaceLeft: number;
  readonly spaceRight: number;
}

/** English metric units in a twip: 914,400 to an inch. */
const unitsPerTwip = 635;
const mostUnits = 31_680 * unitsPerTwip;
/** In hundred-thousandths. Of a smaller part, LibreOffice's rounding shows. */
const mostCut = 50_000;
const picture = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const harmless: ReadonlySet<string> = new Set([
  ...['wp:extent', 'wp:docPr', 'wp:cNvGraphicFramePr', 'a:graphic', 'wp:simplePos', 'wp:positionH', 'wp:positionV'],
  ...['wp:wrapNone', 'wp:effectExtent'],
]);

/** Reads a `w:drawing` of one PNG or JPEG, in a line or at a place of its page (ECMA-376 part 1, 20.4.2). Throws UnknownFeature. */
export function readDrawing(drawing: XmlElement, readPicture: ReadPicture): ReadDrawing {
  const [frame] = drawing.children;
  if (frame === undefined || drawing.children.length !== 1) throw new UnknownFeature('w:drawing');
  for (const child of frame.children) if (!harmless.has(child.name)) throw new UnknownFeature(child.name);
  const isInline = frame.name === 'wp:inline';
  const extent = required(frame, 'wp:extent');
  const { id, crop } = readBlip(frame);
  const bytes = readPicture(id);
  if (bytes === undefined) throw new UnknownFeature('a picture that is not in the file');
  return {
    width: lengthOf(extent.attributes.get('cx')),
    height: lengthOf(extent.attributes.get('cy')),
    bytes,
    crop,
    description: childOf(frame, 'wp:docPr')?.attributes.get('descr') ?? '',
    place: isInline ? undefined : readPlace(frame),
    spaceLeft: isInline && !frame.attributes.has('distL') ? plainSpace : 0,
    spaceRight: isInline && !frame.attributes.has('distR') ? plainSpace : 0,
  };
}

/** LibreOffice ignores the distances of a picture in a line (20.4.2.8), but takes 3.19 mm beside it where the file says none. */
const plainSpace = 181;

function readPlace(frame: XmlElement): { left: number; top: number } {
  if (
    frame.name !== 'wp:anchor' ||
    childOf(frame, 'wp:wrapNone') === undefined ||
    frame.attributes.get('simplePos') !== '0'
  )
    throw new UnknownFeature(`${frame.name} with text around it`);
  if (frame.attributes.get('behindDoc') !== '1') throw new UnknownFeature('a picture before the text');
  const offset = (name: string): number => {
    const position = required(frame, name);
    if (position.attributes.get('relativeFrom') !== 'page') throw new UnknownFeature(`${name} not on the page`);
    return lengthOf(required(position, 'wp:posOffset').text);
  };
  return { left: offset('wp:positionH'), top: offset('wp:positionV') };
}

/** The relationship of the picture, which must be shown unchanged, and what is cut from it. */
function readBlip(frame: XmlElement): { id: string; crop: Crop | undefined } {
  const data = required(required(frame, 'a:graphic'), 'a:graphicData');
  if (data.attributes.get('uri') !== picture) throw new UnknownFeature('a drawing that is no picture');
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
  const shape = required(shown, 'pic:spPr');
  for (const child of shape.children) requirePlainShape(child);
  return { id: blip.attributes.get('r:embed') ?? '', crop };
}

/** `a:srcRect` (20.1.8.55). Sides that are moved out are left to LibreOffice. */
function readCrop(element: XmlElement): Crop | undefined {
  if (element.attributes.size === 0) return undefined;
  allowAttributes(element, 'l', 't', 'r', 'b');
  const cut = (name: string): number => (element.attributes.has(name) ? wholeNumber(element, name, 0, mostCut) : 0);
  const crop = { left: cut('l'), top: cut('t'), right: cut('r'), bottom: cut('b') };
  if (crop.left + crop.right > mostCut || crop.top + crop.bottom > mostCut)
    throw new UnknownFeature('a small part of a picture');
  return crop;
}

/** An extension that says how Office shrinks the picture in its file ([MS-ODRAWXML], `useLocalDpi`). */
function isResolution({ name, children }: XmlElement): boolean {
  return (
    name === 'a:extLst' &&
    children.every((extension) => extension.children.every((one) => one.name === 'a14:useLocalDpi'))
  );
}

function requirePlainShape(child: XmlElement): void {
  const isPlain =
    (child.name === 'a:xfrm' && child.attributes.size === 0) ||
    (child.name === 'a:prstGeom' && child.attributes.get('prst') === 'rect') ||
    child.name === 'a:noFill' ||
    (child.name === 'a:ln' && childOf(child, 'a:noFill') !== undefined);
  if (!isPlain) throw new UnknownFeature(`${child.name} of a picture`);
}

function required(element: XmlElement, name: string): XmlElement {
  const child = childOf(element, name);
  if (child === undefined) throw new UnknownFeature(`${element.name} without ${name}`);
  return child;
}

function lengthOf(text: string | undefined): number {
  const units = Number(text);
  if (!/^\d{1,9}$/.test(text ?? '') || units > mostUnits) throw new UnknownFeature('the length of a picture');
  return Math.round(units / unitsPerTwip);
}
