import { SaxesParser, type SaxesTagNS } from 'saxes';

/** The value of a property or of an item (ISO 16684-1, 6.3). */
export type XmpValue =
  | { readonly kind: 'text'; readonly text: string; readonly language: string }
  | { readonly kind: 'array'; readonly form: 'Bag' | 'Seq' | 'Alt'; readonly items: readonly XmpValue[] }
  | { readonly kind: 'structure'; readonly fields: readonly XmpProperty[] };

export interface XmpProperty {
  readonly namespace: string;
  readonly name: string;
  /** The prefix as written. */
  readonly prefix: string;
  readonly value: XmpValue;
}

/** The top-level properties of an XMP packet. */
export interface Xmp {
  readonly properties: readonly XmpProperty[];
  /** Whether the header of the packet has one of the attributes `bytes` and `encoding`. */
  readonly hasForbiddenHeader: boolean;
}

interface Element {
  readonly tag: SaxesTagNS;
  readonly children: Element[];
  text: string;
}

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const maxDepth = 64;
const maxElements = 50_000;

/** Reads a packet; undefined if it is not well-formed XML with RDF, is nested too deeply or is too large. */
export function readXmp(bytes: Uint8Array): Xmp | undefined {
  const text = decode(bytes);
  const root = parse(text)?.find(({ tag }) => isRdf(tag, 'RDF'));
  if (root === undefined) return undefined;
  const properties = root.children
    .filter(({ tag }) => isRdf(tag, 'Description'))
    .flatMap((description) => fieldsOf(description));
  const header = /<\?xpacket[^>]*\?>/.exec(text)?.[0] ?? '';
  return { properties, hasForbiddenHeader: /\s(bytes|encoding)\s*=/.test(header) };
}

/** The text of a simple property, the first item of an array, or the default item of a language alternative. */
export function textOf(xmp: Xmp, namespace: string, name: string): string | undefined {
  const value = xmp.properties.find((each) => each.namespace === namespace && each.name === name)?.value;
  return value === undefined ? undefined : firstText(value);
}

function firstText(value: XmpValue): string | undefined {
  if (value.kind === 'text') return value.text;
  if (value.kind === 'structure') return undefined;
  const texts = value.items.flatMap((item) => (item.kind === 'text' ? [item] : []));
  return (texts.find(({ language }) => language === 'x-default') ?? texts[0])?.text;
}

/** All elements in document order; undefined if the text is not well-formed. */
function parse(text: string): readonly Element[] | undefined {
  const elements: Element[] = [];
  const open: Element[] = [];
  let isBroken = false;
  const parser = new SaxesParser({ xmlns: true });
  const fail = (): void => {
    isBroken = true;
  };
  parser.on('error', fail);
  parser.on('doctype', fail);
  parser.on('opentag', (tag) => {
    const element: Element = { tag, children: [], text: '' };
    if (open.length >= maxDepth || elements.length >= maxElements) fail();
    else {
      open.at(-1)?.children.push(element);
      elements.push(element);
    }
    open.push(element);
  });
  parser.on('text', (chunk) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += chunk;
  });
  parser.on('closetag', () => open.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return isBroken ? undefined : elements;
}

/** The value of a property element or an item (ISO 16684-1, 7.4 to 7.9). */
function readValue(element: Element): XmpValue {
  const { tag, children, text } = element;
  if (attributeOf(tag, 'parseType') === 'Resource') return structure(fieldsOf(element), tag);
  const [child] = children;
  if (child === undefined) {
    const resource = attributeOf(tag, 'resource');
    if (resource !== undefined) return plainText(resource, tag);
    const fields = attributeFields(tag);
    return fields.length > 0 ? structure(fields, tag) : plainText(text, tag);
  }
  if (isRdf(child.tag, 'Description')) return structure(fieldsOf(child), tag);
  for (const form of ['Bag', 'Seq', 'Alt'] as const)
    if (isRdf(child.tag, form)) return { kind: 'array', form, items: child.children.map(readValue) };
  return structure(fieldsOf(element), tag);
}

/** A structure with `rdf:value` is a value with qualifiers, which do not change its type. */
function structure(fields: readonly XmpProperty[], tag: SaxesTagNS): XmpValue {
  const value = fields.find(({ namespace, name }) => namespace === rdf && name === 'value');
  if (value?.value.kind === 'text') return plainText(value.value.text, tag);
  return value?.value ?? { kind: 'structure', fields };
}

function plainText(text: string, { attributes }: SaxesTagNS): XmpValue {
  return { kind: 'text', text: text.trim(), language: attributes['xml:lang']?.value ?? '' };
}

function fieldsOf({ tag, children }: Element): readonly XmpProperty[] {
  const nested = children.map((child) => {
    const { uri, local, prefix } = child.tag;
    return { namespace: uri, name: local, prefix, value: readValue(child) };
  });
  return [...attributeFields(tag), ...nested];
}

/** Simple properties may be written as attributes. */
function attributeFields(tag: SaxesTagNS): readonly XmpProperty[] {
  return Object.values(tag.attributes).flatMap(({ uri, local, prefix, value }) => {
    const isProperty = prefix !== '' && prefix !== 'xmlns' && prefix !== 'xml' && (uri !== rdf || local === 'value');
    return isProperty ? [{ namespace: uri, name: local, prefix, value: plainText(value, tag) }] : [];
  });
}

const isRdf = (tag: SaxesTagNS, local: string): boolean => tag.uri === rdf && tag.local === local;

function attributeOf({ attributes }: SaxesTagNS, local: string): string | undefined {
  return Object.values(attributes).find((one) => one.uri === rdf && one.local === local)?.value;
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le', 2);
  return buffer
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
}
