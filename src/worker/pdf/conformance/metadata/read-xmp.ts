import { SaxesParser, type SaxesTagNS } from 'saxes';

/**
 * The properties of an XMP packet (ISO 16684-1). A key is a namespace followed by a name, such as
 * `http://…/elements/1.1/title`.
 */
export interface Xmp {
  /** The text of a simple property, the first item of an array, or the default item of a language alternative. */
  readonly properties: ReadonlyMap<string, string>;
  /** Namespaces of top-level properties. */
  readonly namespaces: ReadonlySet<string>;
  /** Namespaces that extension schemas of PDF/A describe. */
  readonly described: ReadonlySet<string>;
  /** Whether the header of the packet has one of the attributes `bytes` and `encoding`. */
  readonly hasForbiddenHeader: boolean;
}

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const schemaNamespace = 'http://www.aiim.org/pdfa/ns/schema#';
const maxDepth = 64;
const maxProperties = 10_000;

/** Reads a packet; undefined if it is not well-formed XML with RDF, or is nested too deeply. */
export function readXmp(bytes: Uint8Array): Xmp | undefined {
  const text = decode(bytes);
  const properties = new Map<string, string>();
  const described = new Set<string>();
  let hasRdf = false;
  let isBroken = false;
  const path: { readonly key: string; text: string; language: string }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  const keep = (key: string, value: string, isDefault: boolean): void => {
    if ((isDefault || !properties.has(key)) && properties.size < maxProperties) properties.set(key, value.trim());
  };
  parser.on('error', () => {
    isBroken = true;
  });
  parser.on('doctype', () => {
    isBroken = true;
  });
  parser.on('opentag', (tag) => {
    const key = `${tag.uri}${tag.local}`;
    hasRdf ||= key === `${rdf}RDF`;
    if (path.length >= maxDepth) isBroken = true;
    if (key === `${rdf}Description` && path.at(-1)?.key === `${rdf}RDF`) {
      for (const [attribute, value] of propertyAttributes(tag)) keep(attribute, value, true);
    }
    path.push({ key, text: '', language: attributeOf(tag, 'xml:lang') });
  });
  parser.on('text', (chunk) => {
    const last = path.at(-1);
    if (last !== undefined) last.text += chunk;
  });
  parser.on('closetag', () => {
    const closed = path.pop();
    if (closed === undefined) return;
    const root = path.findIndex(({ key }) => key === `${rdf}RDF`);
    const property = path[root + 2]?.key;
    if (closed.key === `${schemaNamespace}namespaceURI`) described.add(closed.text.trim());
    if (root < 0) return;
    if (path.length === root + 2) keep(closed.key, closed.text, false);
    if (path.length === root + 4 && property !== undefined) {
      if (properties.get(property) === '') properties.delete(property);
      keep(property, closed.text, closed.language === 'x-default');
    }
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  if (isBroken || !hasRdf) return undefined;
  const header = /<\?xpacket[^>]*\?>/.exec(text)?.[0] ?? '';
  const namespaces = new Set([...properties.keys()].map((key) => key.replace(/[^/#]*$/, '')));
  return { properties, namespaces, described, hasForbiddenHeader: /\s(bytes|encoding)\s*=/.test(header) };
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le', 2);
  return buffer
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
}

function propertyAttributes({ attributes }: SaxesTagNS): readonly (readonly [string, string])[] {
  return Object.values(attributes).flatMap(({ uri, local, prefix, value }) =>
    prefix === '' || prefix === 'xmlns' || prefix === 'xml' || uri === rdf ? [] : [[`${uri}${local}`, value] as const],
  );
}

function attributeOf({ attributes }: SaxesTagNS, name: string): string {
  return attributes[name]?.value ?? '';
}
