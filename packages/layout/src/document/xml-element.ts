import { UnknownFeature } from '../unknown-feature.ts';

/** An element whose names have the usual prefixes, whatever prefixes the part declares. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The character data directly inside it. */
  readonly text: string;
}

/** Throws UnknownFeature if an element has any other attributes. */
export function allowAttributes(element: XmlElement, ...names: readonly string[]): void {
  for (const name of element.attributes.keys()) {
    if (!names.includes(name)) throw new UnknownFeature(`${element.name} ${name}`);
  }
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** The value of an on/off property (ECMA-376 part 1, 17.17.4, ST_OnOff); on if there is no value. */
export function isOn(element: XmlElement): boolean {
  allowAttributes(element, 'w:val');
  return !/^(?:0|false|off)$/.test(element.attributes.get('w:val') ?? '');
}

/** A whole number in an attribute. Throws UnknownFeature for anything else, such as lengths with units. */
export function wholeNumber(element: XmlElement, name: string, least: number, most: number): number {
  const text = element.attributes.get(name) ?? '';
  const value = Number(text);
  if (!/^-?\d{1,9}$/.test(text) || value < least || value > most)
    throw new UnknownFeature(`${element.name} ${name}="${text.slice(0, 20)}"`);
  return value;
}

/** Whether two elements have the same name, attributes, text and children, in any order. */
function isSameElement(one: XmlElement, other: XmlElement): boolean {
  if (one.name !== other.name || one.text !== other.text || one.attributes.size !== other.attributes.size) return false;
  for (const [name, value] of one.attributes) if (other.attributes.get(name) !== value) return false;
  return hasSameElements(one.children, other.children);
}

/** Whether two lists have the same elements, in any order. */
export function hasSameElements(one: readonly XmlElement[], other: readonly XmlElement[]): boolean {
  return one.length === other.length && one.every((element) => other.some((twin) => isSameElement(element, twin)));
}

const ofOffice = /^\{https?:\/\/(schemas\.(microsoft|openxmlformats)|purl\.oclc)\.(com|org)\//;

/**
 * Whether it is an empty element of another program, which stores its data in its own namespace. LibreOffice skips it.
 */
export function isForeignMarker({ name, children, text }: XmlElement): boolean {
  return name.startsWith('{') && !ofOffice.test(name) && children.length === 0 && text.trim() === '';
}
