import { UnknownFeature } from '../unknown-feature.ts';
import { emuLength } from './emu-length.ts';
import type { PictureFrame } from './tree.ts';
import { allowAttributes, childOf, type XmlElement } from './xml-element.ts';

/** LibreOffice draws thinner lines differently. */
const thinnestLine = 4;
const lineParts: ReadonlySet<string> = new Set('a:solidFill a:prstDash a:miter a:round a:bevel'.split(' '));
const lineEnds: ReadonlySet<string> = new Set(['a:headEnd', 'a:tailEnd']);

/**
 * The fill and the line of a picture, from its `pic:spPr` (20.2.2.6). Throws UnknownFeature for a shape other than a
 * plain rectangle.
 */
export function readPictureFrame(shape: XmlElement): PictureFrame | undefined {
  let fill: string | undefined;
  let line: PictureFrame['line'];
  for (const child of shape.children) {
    if (child.name === 'a:solidFill') fill = readColor(child);
    else if (child.name === 'a:ln') line = readLine(child);
    else if (!isPlain(child)) throw new UnknownFeature(`${child.name} of a picture`);
  }
  return fill === undefined && line === undefined ? undefined : { fill, line };
}

function isPlain({ name, attributes }: XmlElement): boolean {
  return (
    (name === 'a:xfrm' && attributes.size === 0) ||
    (name === 'a:prstGeom' && attributes.get('prst') === 'rect') ||
    name === 'a:noFill'
  );
}

/** `a:ln` (20.1.2.2.24): a solid line of one colour. */
function readLine(line: XmlElement): PictureFrame['line'] {
  if (childOf(line, 'a:noFill') !== undefined) return undefined;
  const fill = childOf(line, 'a:solidFill');
  const { attributes, children } = line;
  const isEven =
    (attributes.get('cmpd') ?? 'sng') === 'sng' &&
    (childOf(line, 'a:prstDash')?.attributes.get('val') ?? 'solid') === 'solid' &&
    children.every(({ name, attributes: own }) => lineParts.has(name) || (lineEnds.has(name) && own.size === 0));
  if (fill === undefined || !isEven) throw new UnknownFeature('a:ln of a picture');
  allowAttributes(line, 'w', 'cap', 'cmpd', 'algn');
  const width = emuLength(attributes.get('w'));
  if (width < thinnestLine) throw new UnknownFeature('a:ln of a picture');
  return { width, color: readColor(fill) };
}

function readColor(fill: XmlElement): string {
  const [color] = fill.children;
  const value = color?.attributes.get('val') ?? '';
  if (color?.name !== 'a:srgbClr' || color.children.length > 0 || !/^[\dA-F]{6}$/i.test(value))
    throw new UnknownFeature(`${color?.name ?? 'no colour'} of a picture`);
  return value.toUpperCase();
}
