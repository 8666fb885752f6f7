import { SaxesParser, type SaxesTagNS } from 'saxes';
import { decodeXml } from './decode-xml.ts';
import { prefixes } from './namespaces.ts';
import { UnreadableInvoice } from './unreadable-invoice.ts';
import { XmlDocument, XmlNode } from './xml-node.ts';

/** Real invoices are far smaller, even with several megabytes of attachments. */
const maxBytes = 32 * 1024 * 1024;
/** No element of a valid invoice is deeper than 10. */
const maxDepth = 64;
const maxNodes = 500_000;
/** The longest name of an invoice, with its namespace, has 120. Each finding repeats those of the elements around it. */
const maxNameChars = 300;
/**
 * Rules read a text many times, for example to look it up in a list of codes. Only attachments are longer, and no rule
 * reads their content.
 */
const maxTextChars = 100_000;
const attachments = new Set(['ram:AttachmentBinaryObject', 'cbc:EmbeddedDocumentBinaryObject']);
/** Documents and texts have no names. */
const unnamed = { name: '', writtenName: '' };

/** Reads an invoice. Throws `UnreadableInvoice` if it is not well-formed, has a document type, or exceeds a limit. */
export function readXml(source: string | Uint8Array): XmlDocument {
  if (source.length > maxBytes) throw new UnreadableInvoice(`The invoice is larger than ${maxBytes} bytes.`);
  const text = typeof source === 'string' ? source : decodeXml(source);
  const parser = new SaxesParser({ xmlns: true, position: true });
  const document = new XmlDocument(new XmlNode('document', unnamed, undefined, { order: 0, line: 1 }));
  parser.on('error', (error) => {
    throw new UnreadableInvoice(`The invoice is not well-formed XML: ${error.message.slice(0, 200)}`);
  });
  // Without a document type there are no entities that a parser could expand or load.
  parser.on('doctype', () => {
    throw new UnreadableInvoice('The invoice has a document type definition (DTD), which is not allowed.');
  });
  buildTree(parser, document);
  parser.write(text).close();
  return document;
}

function buildTree(parser: SaxesParser<{ xmlns: true; position: true }>, document: XmlDocument): void {
  let current = document.node;
  let pending = '';
  let depth = 0;
  let nodes = 0;
  const next = (): number => {
    if (++nodes > maxNodes) throw new UnreadableInvoice(`The invoice has more than ${maxNodes} nodes.`);
    return nodes;
  };
  // A comment also ends a text node, so that the text after it is a separate node.
  const endText = (): void => {
    if (pending.length > maxTextChars && !attachments.has(current.name)) throw tooLong(`The text of ${current.name}`);
    if (pending !== '' && current.kind === 'element')
      current.children.push(new XmlNode('text', unnamed, current, { order: next(), line: parser.line }, pending));
    pending = '';
  };
  const addText = (text: string): void => {
    pending += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('comment', endText);
  parser.on('processinginstruction', endText);
  parser.on('opentag', (tag) => {
    endText();
    if (++depth > maxDepth) throw new UnreadableInvoice(`Elements are nested more than ${maxDepth} deep.`);
    const names = { name: nameOf(tag.uri, tag.local), writtenName: tag.name };
    const element = new XmlNode('element', names, current, { order: next(), line: parser.line });
    addAttributes(element, tag, next);
    current.children.push(element);
    document.add(element);
    current = element;
  });
  parser.on('closetag', () => {
    endText();
    depth--;
    current = current.parent ?? document.node;
  });
}

function addAttributes(element: XmlNode, tag: SaxesTagNS, next: () => number): void {
  for (const { uri, local, name, prefix, value } of Object.values(tag.attributes)) {
    if (prefix === 'xmlns' || name === 'xmlns') continue;
    const names = { name: nameOf(uri, local), writtenName: name };
    if (value.length > maxTextChars) throw tooLong(`The attribute ${names.name}`);
    const place = { order: next(), line: element.line };
    element.attributes.push(new XmlNode('attribute', names, element, place, value));
  }
}

const tooLong = (what: string): UnreadableInvoice =>
  new UnreadableInvoice(`${what} has more than ${maxTextChars} characters.`);

function nameOf(uri: string, local: string): string {
  if (uri.length + local.length > maxNameChars)
    throw new UnreadableInvoice(`A name and its namespace have more than ${maxNameChars} characters.`);
  if (uri === '') return local;
  const prefix = prefixes.get(uri);
  return prefix === undefined ? `{${uri}}${local}` : `${prefix}:${local}`;
}
