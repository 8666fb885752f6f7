import { escapeAttribute, escapeText } from '@docmill/word/escape-xml';

/** An element with its attributes, and either text or child elements; `undefined` if it is omitted. */
export type Xml = string | undefined;

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element with text; undefined if there is no text. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): Xml {
  return text === undefined ? undefined : `<${name}${written(attributes)}>${escapeText(text)}</${name}>`;
}

/** An element with child elements; undefined if there are none. */
export function group(name: string, children: readonly (Xml | readonly Xml[])[], attributes: Attributes = {}): Xml {
  const inner = children.flat().filter((child) => child !== undefined);
  return inner.length === 0 ? undefined : `<${name}${written(attributes)}>${inner.join('')}</${name}>`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value ?? '')}"`)
    .join('');
}
