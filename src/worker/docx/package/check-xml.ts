import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { localName } from '@docmill/word/xml-tokens';
import { SaxesParser } from 'saxes';
import type { AppError } from '../../../shared/errors.ts';
import type { PackageLimits } from '../limits.ts';
import { refusal } from './refusal.ts';
import { decodeXml, encodingOf } from './xml-text.ts';

/** Remaining limits, shared by all XML parts of a package. */
export interface XmlBudget {
  elements: number;
  attributes: number;
}

export interface XmlRoot {
  readonly local: string;
  readonly namespace: string;
}

export interface XmlRules {
  readonly limits: Pick<PackageLimits, 'maxXmlDepth' | 'maxTableNesting' | 'maxElementAttributes'>;
  readonly budget: XmlBudget;
  /** Decides whether to accept a document type. Default: all are rejected. */
  readonly allowsDoctype?: ((doctype: string) => boolean) | undefined;
  /** Whether prefixes may be undeclared. Default: they may not. */
  readonly allowsUndeclared?: boolean | undefined;
}

type Parser = SaxesParser<{ position: false }>;

const chunkBytes = 64 * 1024;

/**
 * Reads an XML part once, as a stream, and returns its root element. Throws when the part is not well-formed, contains a DTD,
 * or exceeds the limits.
 */
export function checkXml(bytes: Buffer, part: string, rules: XmlRules): XmlRoot {
  const parser: Parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw malformed(error.message.slice(0, 120), part);
  });
  parser.on('doctype', (doctype) => {
    if (rules.allowsDoctype?.(doctype) === true) return;
    throw refusal('The part contains a document type definition (DTD), which is not allowed. Remove it.', part);
  });
  const root = checkElements(parser, part, rules);
  for (const chunk of textChunks(bytes, part)) parser.write(chunk);
  parser.close();
  return root();
}

/** Installs the element handlers, of which a parser keeps one per event. Returns a getter of the root element. */
function checkElements(
  parser: Parser,
  part: string,
  { limits, budget, allowsUndeclared = false }: XmlRules,
): () => XmlRoot {
  const namespaces = createNamespaceScope();
  let root: XmlRoot = { local: '', namespace: '' };
  let depth = 0;
  let tables = 0;
  let attributes = 0;
  parser.on('opentagstart', ({ name }) => {
    if (++depth > limits.maxXmlDepth) throw tooDeep('elements', limits.maxXmlDepth, part);
    if (--budget.elements < 0) throw tooMany('elements', part);
    if (isTable(name) && ++tables > limits.maxTableNesting) throw tooDeep('tables', limits.maxTableNesting, part);
    attributes = 0;
  });
  parser.on('attribute', ({ name, value }) => {
    if (++attributes > limits.maxElementAttributes || --budget.attributes < 0) throw tooMany('attributes', part);
    namespaces.attribute(name, value);
  });
  parser.on('opentag', ({ name }) => {
    const unbound = namespaces.open(name);
    if (unbound !== undefined && !allowsUndeclared)
      throw malformed(`the prefix "${unbound.slice(0, 40)}" is not declared`, part);
    if (depth === 1) root = { local: localName(name), namespace: namespaces.uriOf(name) };
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    namespaces.close();
    if (isTable(name)) tables--;
  });
  return () => root;
}

function* textChunks(bytes: Buffer, part: string): Generator<string> {
  if (encodingOf(bytes) !== 'utf-8' || bytes.length <= chunkBytes) {
    yield decodeXml(bytes, part);
    return;
  }
  if (!isUtf8(bytes)) throw refusal('The part is not valid UTF-8. Open the file in Word and save it again.', part);
  const decoder = new StringDecoder('utf8');
  for (let at = 0; at < bytes.length; at += chunkBytes) yield decoder.write(bytes.subarray(at, at + chunkBytes));
}

function isTable(name: string): boolean {
  return name.endsWith('tbl') && localName(name) === 'tbl';
}

function malformed(reason: string, part: string): AppError {
  return refusal(`The part is not well-formed XML: ${reason.replace(/\.$/, '')}. Save the file again in Word.`, part);
}

function tooDeep(what: string, limit: number, part: string): AppError {
  return refusal(`The part nests ${what} more than ${limit} deep. Simplify the document.`, part);
}

function tooMany(what: string, part: string): AppError {
  return refusal(`The file contains more XML ${what} than allowed. Split the document.`, part);
}

/**
 * Tracks namespace prefixes during a SAX parse. Lookup takes constant time at any depth, unlike the scope chains of XML
 * parsers.
 */
interface NamespaceScope {
  /** Records an attribute of the current tag. */
  attribute(name: string, value: string): void;
  /** Ends an opening tag; returns its first unbound prefix, if any. */
  open(elementName: string): string | undefined;
  close(): void;
  uriOf(elementName: string): string;
}

function createNamespaceScope(): NamespaceScope {
  const bound = new Map<string, string[]>([['xml', ['http://www.w3.org/XML/1998/namespace']]]);
  const declared: { readonly depth: number; readonly prefixes: readonly string[] }[] = [];
  let depth = 0;
  let declaring: string[] = [];
  let used: string[] = [];

  const isBound = (prefix: string) => (bound.get(prefix)?.length ?? 0) > 0;
  const bind = (prefix: string, uri: string) => {
    const uris = bound.get(prefix);
    if (uris === undefined) bound.set(prefix, [uri]);
    else uris.push(uri);
    declaring.push(prefix);
  };

  return {
    attribute(name, value) {
      const colon = name.indexOf(':');
      if (colon < 0) {
        if (name === 'xmlns') bind('', value);
      } else if (colon === 5 && name.startsWith('xmlns')) bind(name.slice(6), value);
      else used.push(name.slice(0, colon));
    },
    open(elementName) {
      depth++;
      if (declaring.length > 0) {
        declared.push({ depth, prefixes: declaring });
        declaring = [];
      }
      const colon = elementName.indexOf(':');
      if (colon > 0) used.push(elementName.slice(0, colon));
      const unbound = used.find((prefix) => !isBound(prefix));
      if (used.length > 0) used = [];
      return unbound;
    },
    close() {
      if (declared.at(-1)?.depth === depth)
        for (const prefix of declared.pop()?.prefixes ?? []) bound.get(prefix)?.pop();
      depth--;
    },
    uriOf: (elementName) => bound.get(elementName.slice(0, Math.max(0, elementName.indexOf(':'))))?.at(-1) ?? '',
  };
}
