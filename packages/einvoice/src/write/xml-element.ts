import { escapeAttribute, escapeText } from '@docmill/word/escape-xml';

/** An element with its attributes and either a text or elements; `undefined` where there is nothing to say. */
export type Xml = string | undefined;

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element with a text; nothing without one. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): Xml {
  return text === undefined ? undefined : `<${name}${written(attributes)}>${escapeText(text)}</${name}>`;
}

/** An element with elements; nothing without any. */
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
