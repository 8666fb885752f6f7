import { TextEdits } from '@docmill/word/text-edits';
import type { Delimiters, TemplateSyntax } from '../../../../shared/template-syntax.ts';
import { closeReference, delimiterPattern, hasDefaultDelimiters, openReference } from '../../language/delimiters.ts';
import { foreignSyntax } from '../../language/foreign-syntax.ts';
import { plain, quote } from '../../language/scan-tags.ts';
import { elementSection } from '../../language/tag.ts';
import { breakInParagraph, unseenCharacters } from '../../language/text-marks.ts';
import { isUnlikelyName, kindOfText } from '../../language/unlikely-tags.ts';
import { visitText } from './paragraph-text.ts';

/**
 * Text between delimiters, or a single delimiter, that prints as written although nothing in the template marks it as
 * text.
 */
interface TextInBraces {
  /** As written, with braces as delimiters. */
  readonly written: string;
  /** The kind of text that it is, such as `a GUID`; undefined for a single brace. */
  readonly kind: string | undefined;
}

export interface DelimitedPart {
  /** Tags have `{` and `}` around them; braces that are text are character references. */
  readonly xml: string;
  readonly texts: readonly TextInBraces[];
  /** Delimiters after a backslash, as in a path: `C:\data\{name}`. */
  readonly escapesInPaths: readonly string[];
}

/**
 * Distinguishes tags from text. Any delimiters become `{` and `}`; escaped delimiters, code, GUIDs and single braces
 * become character references, which later steps do not take for tags. Expects markup without CDATA and without
 * character references for braces.
 */
export function delimitTags(xml: string, syntax: TemplateSyntax): DelimitedPart {
  const nothing = { xml, texts: [], escapesInPaths: [] };
  if (
    hasDefaultDelimiters(syntax) &&
    (syntax.unlikelyTags === 'fill' ? !hasEscapes(xml, syntax) : hasPlainTagsOnly(xml))
  )
    return nothing;
  const part = new Part(xml, syntax);
  visitText(xml, {
    onText: (start, end) => part.addText(start, end),
    onBreak: () => part.addBreak(),
    onParagraphEnd: () => part.endParagraph(),
  });
  part.endParagraph();
  return { xml: part.finish(), texts: part.texts, escapesInPaths: part.escapesInPaths };
}

function hasEscapes(xml: string, syntax: TemplateSyntax): boolean {
  return syntax.hasEscapes && /\\(?:<[^{}]*>)?[{}]/.test(xml);
}

/** Like `delimitTags`, for a string escaped as XML from outside the parts of the document. */
export function delimitText(text: string, syntax: TemplateSyntax): string {
  const part = new Part(text, syntax);
  part.addText(0, text.length);
  part.endParagraph();
  return part.finish();
}

const plainTag = /\{[#^/]?[\p{L}_][\p{L}\d_.]{0,60}\}/uy;

/** Whether each brace belongs to an unmistakable tag, so that the part needs no change. */
function hasPlainTagsOnly(xml: string): boolean {
  if (xml.includes('\\')) return false;
  let at = 0;
  let closing = xml.indexOf('}');
  for (let open = xml.indexOf('{'); open !== -1; open = xml.indexOf('{', at)) {
    if (closing < open) return false;
    plainTag.lastIndex = open;
    if (!plainTag.test(xml)) return false;
    at = plainTag.lastIndex;
    closing = xml.indexOf('}', at);
    if (closing === -1) closing = Number.POSITIVE_INFINITY;
  }
  return closing === -1 || closing === Number.POSITIVE_INFINITY;
}

interface Token {
  readonly kind: 'open' | 'close' | 'brace';
  /** Backslashes before it. */
  readonly backslashes: number;
  /** Offsets in the text of its paragraph, without the backslashes. */
  readonly start: number;
  readonly end: number;
}

interface Segment {
  /** Its offset in the text of the paragraph. */
  readonly at: number;
  /** Its offset in the markup. */
  readonly start: number;
}

/** More than the warnings that a template lists. */
const maxNotes = 100;

class Part {
  readonly texts: TextInBraces[] = [];
  readonly escapesInPaths: string[] = [];
  readonly #xml: string;
  readonly #syntax: TemplateSyntax;
  readonly #pattern: RegExp;
  readonly #edits = new TextEdits();
  #text: string[] = [];
  #segments: Segment[] = [];
  #length = 0;
  #mayHaveTokens = false;
  /** The number of open braces of code and JSON, whose closing braces in later paragraphs are text too. */
  #openBlocks = 0;

  constructor(xml: string, syntax: TemplateSyntax) {
    this.#xml = xml;
    this.#syntax = syntax;
    this.#pattern = tokenPattern(syntax);
  }

  addText(start: number, end: number): void {
    if (start === end) return;
    const text = this.#xml.slice(start, end);
    this.#segments.push({ at: this.#length, start });
    this.#text.push(text);
    this.#length += text.length;
    this.#mayHaveTokens ||= !hasDefaultDelimiters(this.#syntax) || /[{}]/.test(text);
  }

  addBreak(): void {
    if (this.#segments.length === 0) return;
    this.#segments.push({ at: this.#length, start: -1 });
    this.#text.push(breakInParagraph);
    this.#length += 1;
  }

  endParagraph(): void {
    if (this.#mayHaveTokens) this.#readParagraph(this.#text.join(''));
    this.#text = [];
    this.#segments = [];
    this.#length = 0;
    this.#mayHaveTokens = false;
  }

  finish(): string {
    return this.#edits.isEmpty ? this.#xml : this.#edits.apply(this.#xml);
  }

  #readParagraph(text: string): void {
    const isLenient = this.#syntax.unlikelyTags === 'text';
    let open: Token | undefined;
    /** Escaped opening delimiters, whose closing ones are text too. */
    let escaped = 0;
    for (const token of tokensOf(text, this.#pattern, this.#syntax)) {
      if (token.backslashes > 0) this.#unescape(text, token);
      const isEscaped = token.backslashes % 2 === 1;
      if (isEscaped || token.kind === 'brace') {
        this.#keep(text, token);
        if (isEscaped && open === undefined) escaped = Math.max(0, escaped + (token.kind === 'open' ? 1 : -1));
      } else if (token.kind === 'open') {
        if (open !== undefined && isLenient && startsBlock.test(text.slice(open.end, token.start)))
          this.#keepUnclosed(text, open);
        else if (open !== undefined) this.#delimit(open);
        open = token;
      } else if (open !== undefined) {
        this.#settle(text, open, token);
        open = undefined;
      } else if (escaped > 0 || this.#openBlocks > 0) {
        this.#keep(text, token);
        if (escaped > 0) escaped--;
        else this.#openBlocks--;
      } else if (!hasDefaultDelimiters(this.#syntax)) this.#keep(text, token);
      else if (isLenient && endsBlock.test(text.slice(0, token.start))) {
        this.#note({ written: '}', kind: undefined });
        this.#keep(text, token);
      }
    }
    if (open === undefined) return;
    if (isLenient && hasDefaultDelimiters(this.#syntax) && text.slice(open.end).trim() === '')
      this.#keepUnclosed(text, open);
    else this.#delimit(open);
  }

  #settle(text: string, open: Token, close: Token): void {
    const inner = text.slice(open.end, close.start);
    const kind = this.#syntax.unlikelyTags === 'text' ? kindOfTagText(inner) : undefined;
    if (kind === undefined) {
      this.#delimit(open);
      this.#delimit(close);
      return;
    }
    this.#note({ written: quote(`{${plain(inner)}}`), kind });
    this.#keep(text, open);
    this.#keep(text, close);
  }

  #note(text: TextInBraces): void {
    if (this.texts.length < maxNotes) this.texts.push(text);
  }

  #keepUnclosed(text: string, open: Token): void {
    this.#note({ written: '{', kind: undefined });
    this.#keep(text, open);
    this.#openBlocks++;
  }

  #unescape(text: string, { backslashes, start, end }: Token): void {
    const first = start - backslashes;
    const isInPath = /[\p{L}\d:]/u.test(text.charAt(first - 1)) || backslashes > 1;
    if (isInPath && this.escapesInPaths.length < maxNotes)
      this.escapesInPaths.push(plain(text.slice(Math.max(0, first - 20), end + 20)));
    this.#replace(start - Math.ceil(backslashes / 2), start, '');
  }

  #keep(text: string, { start, end }: Token): void {
    const written = text.slice(start, end);
    const kept = written.replaceAll('{', openReference).replaceAll('}', closeReference);
    if (kept !== written) this.#replace(start, end, kept);
  }

  #delimit({ kind, start, end }: Token): void {
    if (!hasDefaultDelimiters(this.#syntax)) this.#replace(start, end, kind === 'open' ? '{' : '}');
  }

  /** Replaces a range of the paragraph's text, which may lie in several runs. */
  #replace(from: number, to: number, text: string): void {
    let written = text;
    for (let i = this.#segmentAt(from); i < this.#segments.length; i++) {
      const { at, start } = this.#segments[i] ?? { at: to, start: -1 };
      if (at >= to) return;
      const end = this.#segments[i + 1]?.at ?? this.#length;
      if (start === -1) continue;
      this.#edits.replace(start + Math.max(0, from - at), start + Math.min(end, to) - at, written);
      written = '';
    }
  }

  /** The index of the segment that holds an offset of the paragraph's text. */
  #segmentAt(offset: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Matches before a nested brace in code and JSON: `"items": {`, `f({`. */
const startsBlock = /[:,([;=]\s*$/;
/** Matches before a closing brace that ends a block of lines. */
const endsBlock = /^[\s}\])\v]*$/;

function kindOfTagText(inner: string): string | undefined {
  const text = plain(inner).replace(unseenCharacters, '').trim();
  return /^[#^/~%|@]/.test(text) || elementSection.test(text) || foreignSyntax(text) !== undefined
    ? undefined
    : kindOfText(text);
}

/** Whether a tag without a prefix prints as written when the data has no value. */
export function mayBeText(tag: string, { unlikelyTags }: TemplateSyntax): boolean {
  return unlikelyTags === 'text' && isUnlikelyName(tag);
}

function tokenPattern({ open, close }: Delimiters): RegExp {
  return new RegExp(`(\\\\*)(?:(${delimiterPattern(open)})|(${delimiterPattern(close)})|[{}])`, 'gi');
}

function* tokensOf(text: string, pattern: RegExp, { close, hasEscapes: escapes }: TemplateSyntax): Generator<Token> {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [whole, slashes = '', opening, closing] = found;
    const kind = opening !== undefined ? 'open' : closing !== undefined ? 'close' : 'brace';
    let start = found.index + slashes.length;
    let end = found.index + whole.length;
    // `[[rows[0]]]`: of equal characters, the last ones close the tag.
    while (kind === 'close' && close.length > 1 && isRepeated(close) && text.charAt(end) === close.charAt(0)) {
      start++;
      end++;
    }
    pattern.lastIndex = end;
    yield { kind, backslashes: escapes ? slashes.length : 0, start, end };
  }
}

function isRepeated(delimiter: string): boolean {
  return /^([^<>])\1+$/.test(delimiter);
}
