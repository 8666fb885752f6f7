import { editParagraph, type Paragraph, type TextEdit } from './word-file/paragraphs.ts';

export interface Delimiters {
  readonly open: string;
  readonly close: string;
}

/** A tag of the other engine, as written in the template. */
export interface SourceTag {
  readonly paragraph: Paragraph;
  /** The number of the paragraph within the part. */
  readonly place: number;
  readonly start: number;
  readonly end: number;
  /** Including its delimiters. */
  readonly written: string;
  /** Between the delimiters, trimmed. */
  readonly inner: string;
}

/** Text that is not a tag, but would be read as one. */
export interface LooseText {
  readonly paragraph: Paragraph;
  readonly start: number;
  readonly written: string;
  readonly kind: 'unclosed' | 'brace';
}

export interface FoundTags {
  readonly tags: readonly SourceTag[];
  readonly looseTexts: readonly LooseText[];
}

/**
 * Finds the tags of a part. `next` returns the delimiters after a tag, for engines in which a tag can change them.
 * Braces outside tags are returned as loose texts, because Docmill reads them as tags.
 */
export function findTags(
  paragraphs: readonly Paragraph[],
  first: Delimiters,
  next: (inner: string, current: Delimiters) => Delimiters = (_, current) => current,
): FoundTags {
  const tags: SourceTag[] = [];
  const looseTexts: LooseText[] = [];
  let delimiters = first;
  for (const [place, paragraph] of paragraphs.entries()) {
    const { text } = paragraph;
    let at = 0;
    while (at < text.length) {
      const { open, close } = delimiters;
      const start = text.indexOf(open, at);
      const end = start === -1 ? -1 : text.indexOf(close, start + open.length);
      addBraces(looseTexts, paragraph, at, start === -1 ? text.length : start);
      if (start === -1) break;
      if (end === -1) {
        looseTexts.push({ paragraph, start, written: text.slice(start, start + 60), kind: 'unclosed' });
        break;
      }
      at = end + close.length;
      const inner = text.slice(start + open.length, end).trim();
      tags.push({ paragraph, place, start, end: at, written: text.slice(start, at), inner });
      delimiters = next(inner, delimiters);
    }
  }
  return { tags, looseTexts };
}

function addBraces(looseTexts: LooseText[], paragraph: Paragraph, from: number, to: number): void {
  for (const { 0: written, index } of paragraph.text.slice(from, to).matchAll(/\{[^{}]*\}|[{}]/g)) {
    looseTexts.push({ paragraph, start: from + index, written, kind: 'brace' });
  }
}

/** The changes to all paragraphs of a part, applied at the end. */
export class Edits {
  readonly #edits = new Map<Paragraph, TextEdit[]>();

  replace(paragraph: Paragraph, start: number, end: number, text: string): void {
    const edits = this.#edits.get(paragraph);
    if (edits === undefined) this.#edits.set(paragraph, [{ start, end, text }]);
    else edits.push({ start, end, text });
  }

  /**
   * Like `replace`, but for the end of a section. If several end at one position, the text of the first call is
   * outermost.
   */
  close(paragraph: Paragraph, start: number, end: number, text: string): void {
    const known = this.#edits.get(paragraph)?.find((edit) => edit.start === start && edit.end > start);
    if (known !== undefined) this.#edits.get(paragraph)?.push({ start, end: start, text });
    else this.replace(paragraph, start, end, text);
  }

  apply(): void {
    for (const [paragraph, edits] of this.#edits) editParagraph(paragraph, edits);
  }
}

/** Up to 30 characters on either side of a position. */
export function contextOf({ text }: Paragraph, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 30), start);
  const after = text.slice(end, end + 30);
  const whole = `${start > 30 ? '…' : ''}${before}${text.slice(start, end).slice(0, 200)}${after}${end + 30 < text.length ? '…' : ''}`;
  return whole.replace(/\s+/g, ' ').trim();
}
