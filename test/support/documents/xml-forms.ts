import PizZip from 'pizzip';
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** How an XML part is written. All forms mean the same (Namespaces in XML 1.0, XML 1.0). */
export interface XmlForm {
  /** The prefix of the n-th namespace of a part; '' makes the root's namespace the default one. */
  readonly prefix: (n: number) => string;
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly quote?: '"' | "'";
  /** White space before the end of each tag. */
  readonly blank?: string;
}

const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006';
const instance = 'http://www.w3.org/2001/XMLSchema-instance';
const lists = new Set(['Ignorable', 'MustUnderstand', 'PreserveElements', 'PreserveAttributes', 'ProcessContent']);
const usualPrefix = /^(?:xml|xmlns)$/;

/** A .docx whose XML parts are written in another form. */
export function inOtherForm(file: Uint8Array, form: XmlForm): Buffer {
  const zip = new PizZip(Buffer.from(file));
  for (const name of Object.keys(zip.files)) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue;
    const xml = zip.file(name)?.asText() ?? '';
    if (xml.trim() !== '') zip.file(name, encoded(rewrite(xml.replace(/^\ufeff/, ''), form), form.encoding));
  }
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function encoded(xml: string, encoding = 'utf-8'): Buffer {
  const text = `<?xml version="1.0" encoding="${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}"?>${xml}`;
  if (encoding === 'utf-8') return Buffer.from(text);
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf-16le' ? little : little.swap16();
}

function rewrite(xml: string, { prefix, quote = '"', blank = '' }: XmlForm): string {
  const parser = new SaxesParser({ xmlns: true });
  const written: string[] = [];
  const prefixes = new Map<string, string>();
  const open: { readonly name: string; readonly declared: readonly string[] }[] = [];
  const isDeclared = (uri: string) => open.some(({ declared }) => declared.includes(uri));
  const prefixOf = (uri: string) => {
    const known = prefixes.get(uri) ?? prefix(prefixes.size);
    prefixes.set(uri, known);
    return known;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const declared: string[] = [];
    const named = (uri: string, local: string, isAttribute = false) => {
      if (uri === '') return local;
      // An attribute without a prefix has no namespace.
      const own = prefixOf(uri) === '' && isAttribute ? 'own' : prefixOf(uri);
      if (!declared.includes(`${own} ${uri}`) && !isDeclared(`${own} ${uri}`)) declared.push(`${own} ${uri}`);
      return own === '' ? local : `${own}:${local}`;
    };
    const name = named(tag.uri, tag.local);
    const attributes = attributesOf(tag).map((attribute) => {
      const value = withNames(attribute, tag, (uri, local) => named(uri, local, true), parser);
      const key =
        attribute.uri === '' || attribute.prefix === 'xml'
          ? attribute.name
          : named(attribute.uri, attribute.local, true);
      return ` ${key}=${quote}${escaped(value, quote)}${quote}`;
    });
    if (tag.uri === '' && isDefaultTaken(open)) throw new Error('an element without a namespace within a default one');
    const declarations = declared.map((entry) => {
      const [own = '', uri = ''] = entry.split(' ');
      return ` xmlns${own === '' ? '' : ':'}${own}=${quote}${escaped(uri, quote)}${quote}`;
    });
    written.push(`<${name}${declarations.join('')}${attributes.join('')}${blank}${tag.isSelfClosing ? '/>' : '>'}`);
    open.push({ name, declared });
  });
  parser.on('closetag', ({ isSelfClosing }) => {
    const name = open.pop()?.name;
    if (!isSelfClosing) written.push(`</${name}${blank}>`);
  });
  parser.on('text', (text) => written.push(escaped(text, '')));
  parser.on('cdata', (text) => written.push(escaped(text, '')));
  parser.write(xml).close();
  return written.join('');
}

function isDefaultTaken(open: readonly { readonly declared: readonly string[] }[]): boolean {
  return open.some(({ declared }) => declared.some((entry) => entry.startsWith(' ')));
}

function attributesOf(tag: SaxesTagNS) {
  return Object.values(tag.attributes).filter(
    ({ name, prefix }) => !usualPrefix.test(prefix || name) || prefix === 'xml',
  );
}

interface Attribute {
  readonly uri: string;
  readonly local: string;
  readonly value: string;
}

/** The value of an attribute, in which the prefixes of names are replaced. */
function withNames(
  { uri, local, value }: Attribute,
  tag: SaxesTagNS,
  named: (uri: string, local: string) => string,
  parser: SaxesParser<{ xmlns: true }>,
): string {
  const isList = (uri === compatibility && lists.has(local)) || (tag.uri === compatibility && local === 'Requires');
  if (!isList && !(uri === instance && local === 'type')) return value;
  return value.replace(/[^\s:]+(?::\S+)?/g, (item) => {
    const [prefix = '', name] = item.split(':');
    const namespace =
      (name === undefined && !isList) || parser.resolve(prefix) === undefined ? '' : parser.resolve(prefix);
    if (namespace === undefined || namespace === '') return item;
    return name === undefined ? named(namespace, '').replace(/:$/, '') : named(namespace, name);
  });
}

function escaped(text: string, quote: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
  if (quote === '') return safe;
  return safe
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
    .replaceAll(quote, quote === '"' ? '&quot;' : '&apos;');
}

/** The content of a part, however it is written: elements, attributes and text, with namespaces for prefixes. */
export function infoset(xml: string): string {
  const parser = new SaxesParser({ xmlns: true });
  const lines: string[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') lines.push(JSON.stringify(text));
    text = '';
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    endText();
    const attributes = attributesOf(tag)
      .map((attribute) => {
        const value = withNames(attribute, tag, (uri, local) => `{${uri}}${local}`, parser);
        return ` {${attribute.uri}}${attribute.local}=${JSON.stringify(value)}`;
      })
      .sort();
    lines.push(`<{${tag.uri}}${tag.local}${attributes.join('')}>`);
  });
  parser.on('closetag', () => {
    endText();
    lines.push('</>');
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('cdata', (piece) => {
    text += piece;
  });
  parser.write(xml).close();
  return lines.join('\n');
}
