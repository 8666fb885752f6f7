/** A tag of an XML text. `start` and `end` are the offsets of `<` and after `>`. */
export interface XmlTag {
  readonly kind: 'open' | 'close' | 'empty';
  /** The name without its prefix. Prefixes are arbitrary, so nothing may depend on them. */
  readonly local: string;
  readonly start: number;
  readonly end: number;
}

/** Anything between tags. `start` and `end` are offsets in the text, including delimiters. */
export interface XmlSpan {
  readonly kind: 'text' | 'cdata' | 'comment' | 'instruction' | 'doctype';
  readonly start: number;
  readonly end: number;
}

export interface XmlAttribute {
  readonly name: string;
  readonly local: string;
  /** The value with its references decoded. */
  readonly value: string;
  /** Offsets in the text, from the first character of the name to after the closing quote. */
  readonly start: number;
  readonly end: number;
  /** Offset of the value's first character, after the quote; the value ends at `end - 1`. */
  readonly valueStart: number;
}

const exclamation = 0x21;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const slash = 0x2f;
const colon = 0x3a;
const lt = 0x3c;
const equals = 0x3d;
const gt = 0x3e;
const question = 0x3f;

/**
 * Calls `onTag` for every tag and `onSpan` for everything between tags, in order, in one linear pass without recursion.
 * Expects XML that `checkXml` accepts; stops where the text is malformed. `resumeAt` may skip what follows a tag, to the end of another one.
 */
export function scanXml(
  xml: string,
  onTag: (tag: XmlTag) => void,
  onSpan?: (span: XmlSpan) => void,
  resumeAt?: () => number,
): void {
  let at = 0;
  while (at < xml.length) {
    const markup = xml.indexOf('<', at);
    const textEnd = markup < 0 ? xml.length : markup;
    if (textEnd > at) onSpan?.({ kind: 'text', start: at, end: textEnd });
    if (markup < 0) return;
    const next = xml.charCodeAt(markup + 1);
    if (next === exclamation || next === question) {
      const span = readSpan(xml, markup, next);
      if (span === undefined) return;
      onSpan?.(span);
      at = span.end;
    } else {
      const end = endOfTag(xml, markup + 1);
      if (end < 0) return;
      onTag(readTag(xml, markup, end, next));
      at = resumeAt === undefined ? end : Math.max(end, resumeAt());
    }
  }
}

/** `scanXml` for readers that need only the tags. */
export function scanXmlTags(xml: string, visit: (tag: XmlTag) => void): void {
  scanXml(xml, visit);
}

/** The attributes of a tag in document order, including namespace declarations. */
export function readAttributes(xml: string, tag: Pick<XmlTag, 'start' | 'end'>): XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  const last = tag.end - 1;
  let at = endOfName(xml, tag.start + 1, last);
  while (at < last) {
    const start = skipBlanks(xml, at, last);
    const nameEnd = endOfName(xml, start, last);
    const quoteAt = skipBlanks(xml, skipBlanks(xml, nameEnd, last) + 1, last);
    const quote = xml.charCodeAt(quoteAt);
    if (nameEnd === start || (quote !== doubleQuote && quote !== singleQuote)) return attributes;
    const valueEnd = xml.indexOf(quote === doubleQuote ? '"' : "'", quoteAt + 1);
    if (valueEnd < 0 || valueEnd > last) return attributes;
    const name = xml.slice(start, nameEnd);
    const value = decodeEntities(xml.slice(quoteAt + 1, valueEnd));
    at = valueEnd + 1;
    attributes.push({ name, local: localName(name), value, start, end: at, valueStart: quoteAt + 1 });
  }
  return attributes;
}

export function attributeOf(xml: string, tag: XmlTag, local: string): string | undefined {
  return readAttributes(xml, tag).find((attribute) => attribute.local === local)?.value;
}

/** The name of a tag, including its prefix. */
export function tagName(xml: string, tag: XmlTag): string {
  const nameStart = tag.start + (tag.kind === 'close' ? 2 : 1);
  return xml.slice(nameStart, endOfName(xml, nameStart, tag.end - 1));
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The character data of a piece of markup: decoded text and unchanged CDATA. */
export function textContent(xml: string): string {
  let text = '';
  scanXml(
    xml,
    () => undefined,
    ({ kind, start, end }) => {
      if (kind === 'text') text += decodeEntities(xml.slice(start, end));
      else if (kind === 'cdata') text += xml.slice(start + 9, end - 3);
    },
  );
  return text;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function readTag(xml: string, start: number, end: number, next: number): XmlTag {
  const nameStart = next === slash ? start + 2 : start + 1;
  let nameEnd = nameStart;
  let localStart = nameStart;
  for (; nameEnd < end; nameEnd++) {
    const code = xml.charCodeAt(nameEnd);
    if (code === colon) localStart = nameEnd + 1;
    else if (code <= 0x20 || code === gt || code === slash) break;
  }
  const kind = next === slash ? 'close' : xml.charCodeAt(end - 2) === slash ? 'empty' : 'open';
  return { kind, local: xml.slice(localStart, nameEnd), start, end };
}

// A '>' inside a quoted attribute value does not end the tag.
function endOfTag(xml: string, from: number): number {
  for (let at = from; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (code === gt) return at + 1;
    if (code === lt) return -1;
    if (code === doubleQuote || code === singleQuote) {
      at = xml.indexOf(code === doubleQuote ? '"' : "'", at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function readSpan(xml: string, start: number, next: number): XmlSpan | undefined {
  if (next === question) return span(xml, 'instruction', start, start + 2, '?>');
  if (xml.startsWith('<!--', start)) return span(xml, 'comment', start, start + 4, '-->');
  if (xml.startsWith('<![CDATA[', start)) return span(xml, 'cdata', start, start + 9, ']]>');
  return span(xml, 'doctype', start, start + 2, '>');
}

function span(xml: string, kind: XmlSpan['kind'], start: number, from: number, closing: string): XmlSpan | undefined {
  const found = xml.indexOf(closing, from);
  return found < 0 ? undefined : { kind, start, end: found + closing.length };
}

function skipBlanks(xml: string, from: number, end: number): number {
  let at = from;
  while (at < end && xml.charCodeAt(at) <= 0x20) at++;
  return at;
}

function endOfName(xml: string, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const code = xml.charCodeAt(at);
    if (code <= 0x20 || code === equals || code === slash || code === gt) break;
  }
  return at;
}
