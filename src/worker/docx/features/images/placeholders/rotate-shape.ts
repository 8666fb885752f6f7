import type { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, type XmlTag } from '@docmill/word/xml-tokens';
import { type ShapeRotation, unrotated, withRotation } from '../../../core/pictures/rotation.ts';
import { openTransform, type ShownPicture } from '../../../core/pictures/write-drawing.ts';

/** The elements that define the rotation of a picture's shape. */
export interface RotationPlace {
  /** `a:xfrm` */
  transform: XmlTag | undefined;
  /** `pic:spPr`, the parent of `a:xfrm`. */
  properties: XmlTag | undefined;
  /** The prefix of DrawingML, with its colon. */
  prefix: string;
}

/** Adds the rotation of the picture to the placeholder's rotation in the template. */
export function rotateShape(
  xml: string,
  place: RotationPlace,
  { rotation, size }: ShownPicture,
  edits: TextEdits,
): void {
  const { transform, properties, prefix } = place;
  if (rotation === undefined) return;
  const name = transform === undefined ? `${prefix}xfrm` : nameOf(xml, transform);
  const start = openTransform(
    name,
    withRotation(transform === undefined ? unrotated : readRotation(xml, transform), rotation),
  );
  const extent = `<${prefix}off x="0" y="0"/><${prefix}ext cx="${size.width}" cy="${size.height}"/>`;
  const whole = `${start}${extent}</${name}>`;
  if (transform !== undefined) edits.replace(transform.start, transform.end, transform.kind === 'open' ? start : whole);
  else if (properties?.kind === 'open') edits.replace(properties.end, properties.end, whole);
  else if (properties !== undefined) {
    const holder = nameOf(xml, properties);
    edits.replace(properties.start, properties.end, `<${holder}>${whole}</${holder}>`);
  }
}

function readRotation(xml: string, transform: XmlTag): ShapeRotation {
  const values = new Map(readAttributes(xml, transform).map(({ local, value }) => [local, value]));
  const isOn = (name: string) => /^(?:1|true|on)$/.test(values.get(name) ?? '');
  const rotation = Number(values.get('rot') ?? 0);
  return { rotation: Number.isInteger(rotation) ? rotation : 0, flipH: isOn('flipH'), flipV: isOn('flipV') };
}

function nameOf(xml: string, { start, end }: XmlTag): string {
  return /^<([^\s/>]+)/.exec(xml.slice(start, end))?.[1] ?? '';
}
