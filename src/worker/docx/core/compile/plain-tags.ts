import { breakInTag } from '../../language/text-marks.ts';
import { TextEdits } from '../../package/text-edits.ts';
import { elementName } from '../../package/xml-tokens.ts';

/** What Word, keyboards and copied text put into a name unseen: soft hyphens, marks of direction, joints without width. */
const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
const breaks = new Set(['w:tab', 'w:br', 'w:cr']);
const wideHyphen = '\u2011';
const suspects =
  /[\u00ad\u200b\u200e\u200f\u2011\u202a-\u202e\u2060\u2066-\u2069\ufeff]|<w:(?:noBreakHyphen|tab|br|cr)\b|<!\[CDATA\[|&#0*(?:12[35]|x0*7[bd]);/i;
const quotes = /["“”„‟″«»'‘’‚‛′]|&quot;|&apos;/;

/**
 * The part with its tags as their author sees them: tabs and line breaks are spaces, braces that are written as references or CDATA are braces, hyphens
 * that do not break are hyphens, and what cannot be seen is gone, except in tags that quote texts.
 */
export function withPlainTags(xml: string): string {
  if (!suspects.test(xml)) return xml;
  const plain = withoutCdata(xml)
    .replace(/&#0*(?:123|x0*7b);/gi, '{')
    .replace(/&#0*(?:125|x0*7d);/gi, '}');
  const edits = new TextEdits();
  const tag = new TagReader(edits);
  let at = plain.indexOf('<');
  while (at !== -1) {
    const close = plain.indexOf('>', at);
    if (close === -1) break;
    const isEnd = plain.charCodeAt(at + 1) === 0x2f;
    const name = elementName(plain, isEnd ? at + 2 : at + 1, close);
    if (name === 'w:p' || name === 'a:p') tag.leave();
    else if (name === 'w:noBreakHyphen' && !isEnd) tag.put('-', at, close + 1);
    else if (breaks.has(name) && plain.charCodeAt(close - 1) === 0x2f && !plain.startsWith('<w:br w:type="page"', at))
      tag.put(breakInTag, at, close + 1);
    const next = plain.indexOf('<', close);
    if (!isEnd && name.endsWith(':t') && next !== -1) tag.read(plain, close + 1, next);
    at = next;
  }
  return edits.isEmpty ? plain : edits.apply(plain);
}

function withoutCdata(xml: string): string {
  if (!xml.includes('<![CDATA[')) return xml;
  return xml.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
}

/** Follows the text of a part and notes what to change in each tag, when it ends. */
class TagReader {
  readonly #edits: TextEdits;
  #waiting: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  #isInside = false;
  #hasQuotes = false;

  constructor(edits: TextEdits) {
    this.#edits = edits;
  }

  leave(): void {
    this.#isInside = false;
    this.#hasQuotes = false;
    this.#waiting = [];
  }

  /** A character in place of an element. */
  put(character: string, start: number, end: number): void {
    if (this.#isInside) this.#waiting.push({ start, end, text: `<w:t>${character}</w:t>` });
  }

  read(xml: string, start: number, end: number): void {
    for (const { 0: piece, index } of xml.slice(start, end).matchAll(/[{}]|[^{}]+/g)) {
      if (piece === '{' || piece === '}') {
        if (piece === '}') this.#settle();
        this.leave();
        this.#isInside = piece === '{';
      } else if (this.#isInside) this.#inspect(piece, start + index);
    }
  }

  #inspect(piece: string, offset: number): void {
    this.#hasQuotes ||= quotes.test(piece);
    const change = (found: RegExpMatchArray, text: string) => {
      const start = offset + (found.index ?? 0);
      this.#waiting.push({ start, end: start + found[0].length, text });
    };
    for (const found of piece.matchAll(unseen)) change(found, '');
    for (const found of piece.matchAll(new RegExp(wideHyphen, 'g'))) change(found, '-');
  }

  #settle(): void {
    for (const { start, end, text } of this.#waiting) {
      if (text.startsWith('<') || !this.#hasQuotes) this.#edits.replace(start, end, text);
    }
  }
}
