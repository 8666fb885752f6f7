import { escapeText } from '@docmill/word/escape-xml';
import { TextEdits } from '@docmill/word/text-edits';
import { scanXml, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { breakInTag, unseenCharacters, unusualSpaces } from '../../language/text-marks.ts';
import { type DelimitedPart, delimitTags } from './delimit-tags.ts';

const breaks = new Set(['w:tab', 'w:br', 'w:cr']);
const wideHyphens = /\u2011/g;
const suspects =
  /[\u034f\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2011\u202a-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]|<w:(?:noBreakHyphen|tab|br|cr)\b/i;
// An apostrophe between letters belongs to a name.
const quotes = /["“”„‟″«»]|(?<!\p{L}(?=.\p{L}))['‘’‚‛′]|&quot;|&apos;/gu;
const singleQuote = /['‘’‚‛′]|&apos;/;

/**
 * Normalizes tags to what their author sees: any delimiters become braces, tabs and line breaks become spaces, character
 * references and CDATA become characters, unusual spaces and hyphens become those of the keyboard. Invisible characters are
 * removed, except in quoted text. Braces that are text become character references.
 */
export function withPlainTags(original: string, syntax: TemplateSyntax): DelimitedPart {
  const xml = withPlainMarkup(original);
  const written = xml.includes('&#')
    ? xml.replace(/&#0*(?:123|x0*7b);/gi, '{').replace(/&#0*(?:125|x0*7d);/gi, '}')
    : xml;
  const delimited = delimitTags(written, syntax);
  return { ...delimited, xml: withPlainCharacters(delimited.xml) };
}

function withPlainCharacters(plain: string): string {
  if (!suspects.test(plain)) return plain;
  const edits = new TextEdits();
  const reader = new TagReader(edits);
  let isInText = false;
  scanXml(
    plain,
    (tag) => {
      const { kind, start, end } = tag;
      const name = names.has(tag.local) ? tagName(plain, tag) : '';
      isInText = kind === 'open' && name.endsWith(':t');
      if (name === 'w:p' || name === 'a:p') reader.leave();
      else if (name === 'w:noBreakHyphen' && kind !== 'close') reader.put('-', start, end);
      else if (breaks.has(name) && kind === 'empty' && !plain.startsWith('<w:br w:type="page"', start))
        reader.put(breakInTag, start, end);
    },
    ({ start, end }) => {
      if (isInText) reader.read(plain, start, end);
    },
  );
  return edits.isEmpty ? plain : edits.apply(plain);
}

const names = new Set(['p', 't', 'noBreakHyphen', 'tab', 'br', 'cr']);

/**
 * The same document in simpler XML: CDATA as text, no comments or processing instructions, no `>` in attributes.
 * docxtemplater ends a tag at the first `>` and reads tags in comments, so it would misread the original.
 */
function withPlainMarkup(xml: string): string {
  if (!mayHaveOtherMarkup(xml)) return xml;
  const edits = new TextEdits();
  scanXml(
    xml,
    (tag) => escapeInnerGreaterThan(xml, tag, edits),
    ({ kind, start, end }) => {
      if (kind === 'cdata') edits.replace(start, end, escapeText(xml.slice(start + 9, end - 3)));
      else if (kind === 'comment' || (kind === 'instruction' && start > 0)) edits.replace(start, end);
    },
  );
  return edits.isEmpty ? xml : edits.apply(xml);
}

const greaterThanInValue = /=\s*(?:"[^"<>]*>|'[^'<>]*>)/;

// Three searches cost a fraction of reading every tag, and almost no template needs that.
function mayHaveOtherMarkup(xml: string): boolean {
  return xml.includes('<!') || xml.includes('<?', 1) || greaterThanInValue.test(xml);
}

function escapeInnerGreaterThan(xml: string, { start, end }: XmlTag, edits: TextEdits): void {
  for (let at = xml.indexOf('>', start); at < end - 1; at = xml.indexOf('>', at + 1)) edits.replace(at, at + 1, '&gt;');
}

/** Tracks the text of a part and applies the edits of each tag when the tag ends. */
class TagReader {
  readonly #edits: TextEdits;
  #waiting: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  #isInside = false;
  /** The kind of the quotation mark that is open. */
  #quoted: 'single' | 'double' | undefined;

  constructor(edits: TextEdits) {
    this.#edits = edits;
  }

  leave(): void {
    this.#isInside = false;
    this.#quoted = undefined;
    this.#waiting = [];
  }

  /** Replaces an element by a character. */
  put(character: string, start: number, end: number): void {
    if (this.#isInside) this.#waiting.push({ start, end, text: `<w:t>${character}</w:t>` });
  }

  read(xml: string, start: number, end: number): void {
    for (const { 0: piece, index } of xml.slice(start, end).matchAll(/[{}]|[^{}]+/g)) {
      if (piece === '{' || piece === '}') {
        if (piece === '}') this.#apply();
        this.leave();
        this.#isInside = piece === '{';
      } else if (this.#isInside) this.#inspect(piece, start + index);
    }
  }

  #inspect(piece: string, offset: number): void {
    let read = 0;
    for (const { 0: quote, index } of piece.matchAll(quotes)) {
      this.#change(piece.slice(read, index), offset + read);
      read = index + quote.length;
      const kind = singleQuote.test(quote) ? 'single' : 'double';
      if (this.#quoted === undefined) this.#quoted = kind;
      else if (this.#quoted === kind) this.#quoted = undefined;
    }
    this.#change(piece.slice(read), offset + read);
  }

  #change(piece: string, offset: number): void {
    if (this.#quoted !== undefined) return;
    const replace = (found: RegExpMatchArray, text: string) => {
      const start = offset + (found.index ?? 0);
      this.#waiting.push({ start, end: start + found[0].length, text });
    };
    for (const found of piece.matchAll(unseenCharacters)) replace(found, '');
    for (const found of piece.matchAll(unusualSpaces)) replace(found, ' ');
    for (const found of piece.matchAll(wideHyphens)) replace(found, '-');
  }

  #apply(): void {
    for (const { start, end, text } of this.#waiting) this.#edits.replace(start, end, text);
  }
}
