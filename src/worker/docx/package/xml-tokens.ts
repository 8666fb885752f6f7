/** A tag of an XML text. `start` and `end` are offsets of `<` and after `>`. */
export interface XmlTag {
  readonly kind: 'open' | 'close' | 'empty';
  /** The name without its prefix: prefixes are the author's choice, so nothing may depend on them. */
  readonly local: string;
  readonly start: number;
  readonly end: number;
}

export interface XmlAttribute {
  readonly name: string;
  readonly local: string;
  readonly value: string;
  /** Offsets in the text: from the name's first character to after the closing quote. */
  readonly start: number;
  readonly end: number;
}

const lt = 0x3c;
const gt = 0x3e;
const slash = 0x2f;

/**
 * Calls `visit` for every tag, in order, skipping comments, CDATA, declarations and processing instructions. One linear
 * pass without recursion; it expects text that was once checked to be well-formed and stops where that is not so.
 */
export function scanTags(xml: string, visit: (tag: XmlTag) => void): void {
  let at = xml.indexOf('<');
  while (at >= 0) {
    const next = xml.charCodeAt(at + 1);
    const end = next === 0x21 || next === 0x3f ? endOfMarkup(xml, at) : endOfTag(xml, at + 1);
    if (end < 0) return;
    if (next !== 0x21 && next !== 0x3f) visit(readTag(xml, at, end, next));
    at = xml.indexOf('<', end);
  }
}

/** The attributes of a tag, with their values decoded. */
export function readAttributes(xml: string, tag: XmlTag): XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  const source = xml.slice(tag.start, tag.end);
  for (const match of source.matchAll(/([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const name = match[1] ?? '';
    const start = tag.start + match.index;
    const value = decodeEntities(match[2] ?? match[3] ?? '');
    attributes.push({ name, local: localName(name), value, start, end: start + match[0].length });
  }
  return attributes;
}

export function attributeOf(xml: string, tag: XmlTag, local: string): string | undefined {
  return readAttributes(xml, tag).find((attribute) => attribute.local === local)?.value;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
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
    if (code === 0x3a) localStart = nameEnd + 1;
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
    if (code === 0x22 || code === 0x27) {
      at = xml.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function endOfMarkup(xml: string, at: number): number {
  const closing = xml.startsWith('<!--', at)
    ? '-->'
    : xml.startsWith('<![CDATA[', at)
      ? ']]>'
      : xml[at + 1] === '?'
        ? '?>'
        : '>';
  const found = xml.indexOf(closing, at + 2);
  return found < 0 ? -1 : found + closing.length;
}
/** The name, prefix included, of the element whose tag starts at `start` (after `<` or `</`) and ends at `close`. */
export function elementName(xml: string, start: number, close: number): string {
  let end = start;
  while (end < close) {
    const code = xml.charCodeAt(end);
    if (code === 0x20 || code === 0x2f || code === 0x0a || code === 0x0d || code === 0x09) break;
    end++;
  }
  return xml.slice(start, end);
}
