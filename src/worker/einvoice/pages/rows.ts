import type { Conventions } from './conventions.ts';
import { compact, plain } from './conventions.ts';
import { type DateToken, type NumberToken, readDates, readNumbers } from './printed-values.ts';
import type { PrintedPage, PrintedWord } from './read-printed-pages.ts';

/** The words on one base line, from left to right. */
export interface Row {
  /** Counted from 1. */
  readonly page: number;
  /** Position among all rows of the document. */
  readonly order: number;
  /** Position among the rows of its page. */
  readonly index: number;
  readonly y: number;
  readonly words: readonly PrintedWord[];
  /** Letters and digits of the words. */
  readonly text: string;
  /** For each of these characters, the index of its word. */
  readonly wordAt: readonly number[];
  /** Whether a word, or a part after a punctuation mark, begins at a character. */
  readonly starts: readonly boolean[];
  readonly numbers: readonly NumberToken[];
  readonly dates: readonly DateToken[];
}

/** Divides pages into rows. */
export function toRows(pages: readonly PrintedPage[], conventions: Conventions): readonly Row[] {
  let order = 0;
  return pages.flatMap(({ words }, index) =>
    divide(words).map((row, at) => {
      const sorted = row.toSorted((a, b) => a.left - b.left);
      const numbers = readNumbers(sorted, conventions);
      const dates = readDates(sorted, conventions);
      return {
        page: index + 1,
        order: order++,
        index: at,
        y: row[0]?.y ?? 0,
        words: sorted,
        ...indexCharacters(sorted),
        numbers,
        dates,
      };
    }),
  );
}

function divide(words: readonly PrintedWord[]): readonly (readonly PrintedWord[])[] {
  const rows: PrintedWord[][] = [];
  for (const word of words.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row === undefined || first === undefined || word.y - first.y > Math.min(word.sizePt, first.sizePt) * 0.35)
      rows.push([word]);
    else row.push(word);
  }
  return rows;
}

function indexCharacters(words: readonly PrintedWord[]): Pick<Row, 'text' | 'wordAt' | 'starts'> {
  const texts: string[] = [];
  const wordAt: number[] = [];
  const starts: boolean[] = [];
  for (const [index, { text }] of words.entries()) {
    let isStart = true;
    for (const character of plain(text)) {
      const kept = compact(character);
      if (kept === '') {
        isStart = true;
        continue;
      }
      texts.push(kept);
      for (let unit = 0; unit < kept.length; unit++) {
        wordAt.push(index);
        starts.push(isStart && unit === 0);
      }
      isStart = false;
    }
  }
  return { text: texts.join(''), wordAt, starts };
}

/** A place of a text. */
export interface Occurrence {
  readonly rows: readonly Row[];
  readonly words: readonly PrintedWord[];
}

const maxRows = 12;
const maxOccurrences = 200;
/** Of continuations that are tried for one text. */
const maxSteps = 20_000;
const keyLength = 2;

/** Finds texts, also those that are broken over several rows of a column. */
export class TextIndex {
  private readonly byKey = new Map<string, [row: Row, at: number][]>();
  private readonly rows: readonly Row[];

  constructor(rows: readonly Row[]) {
    this.rows = rows;
    for (const row of rows)
      for (const [at, isStart] of row.starts.entries()) {
        if (!isStart) continue;
        for (let length = 1; length <= keyLength; length++) {
          const key = row.text.slice(at, at + length);
          if (key.length === length) push(this.byKey, key, [row, at]);
        }
      }
  }

  /** The places of a text, in reading order. They begin and end with a word. */
  find(text: string): readonly Occurrence[] {
    const wanted = compact(text);
    const found: Occurrence[] = [];
    const budget = { left: maxSteps };
    for (const [row, at] of this.byKey.get(wanted.slice(0, keyLength)) ?? []) {
      const match = this.match(wanted, row, { at, depth: 1, budget });
      if (match !== undefined) found.push(match);
      if (found.length >= maxOccurrences) break;
    }
    return found;
  }

  /** The text of the same length that differs least, in at most two characters. */
  findSimilar(text: string): Occurrence | undefined {
    const wanted = compact(text);
    if (wanted.length < 5) return undefined;
    for (const row of this.rows)
      for (const [at, isStart] of row.starts.entries())
        if (isStart && isBoundary(row, at + wanted.length) && isSimilar(wanted, row.text, at))
          return occurrence(row, at, at + wanted.length);
    return undefined;
  }

  private match(
    wanted: string,
    row: Row,
    { at, depth, budget }: { readonly at: number; readonly depth: number; readonly budget: { left: number } },
  ): Occurrence | undefined {
    let length = 0;
    while (length < wanted.length && wanted[length] === row.text[at + length]) length++;
    if (length === 0) return undefined;
    if (length === wanted.length && isBoundary(row, at + length)) return occurrence(row, at, at + length);
    if (depth >= maxRows) return undefined;
    // The part that ends with a word may be followed by other columns, whose text may happen to continue it.
    for (let end = at + Math.min(length, wanted.length - 1); end > at; end--) {
      if (!isBoundary(row, end)) continue;
      const part = occurrence(row, at, end);
      for (const [next, start] of this.continuations(row, part)) {
        if (budget.left-- <= 0) return undefined;
        const rest = this.match(wanted.slice(end - at), next, { at: start, depth: depth + 1, budget });
        if (rest !== undefined) return { rows: [row, ...rest.rows], words: [...part.words, ...rest.words] };
      }
    }
    return undefined;
  }

  /** The words below a part of a text with which it may continue. */
  private *continuations(row: Row, { words }: Occurrence): Generator<[Row, number]> {
    const left = Math.min(...words.map((word) => word.left));
    const right = Math.max(...words.map((word) => word.right));
    const size = words[0]?.sizePt ?? 0;
    let isFollowed = false;
    for (let order = row.order + 1; order < this.rows.length; order++) {
      const next = this.rows[order];
      if (next === undefined || next.page > row.page + 1 || (next.page > row.page && next.index >= maxTopRows)) return;
      const isBelow = next.page === row.page;
      if (isBelow && next.y - row.y > size * maxGap) continue;
      if (isFollowed) return;
      for (const [at, isStart] of next.starts.entries()) {
        const word = next.words[next.wordAt[at] ?? -1];
        if (!isStart || word === undefined || word.right < left || word.left > right) continue;
        // What stands directly below is the continuation, or there is none.
        isFollowed = isBelow;
        yield [next, at];
      }
    }
  }
}

/** Whether a word ends before this character. */
const isBoundary = (row: Row, at: number): boolean => at === row.text.length || row.starts[at] === true;

/** A line break leaves 1.2 sizes; a row with signs only, such as "%)", is skipped. */
const maxGap = 3.2;
/** Headers and the header of a table precede the continuation on the next page. */
const maxTopRows = 15;

function occurrence(row: Row, from: number, to: number): Occurrence {
  const words = row.words.slice(row.wordAt[from], (row.wordAt[to - 1] ?? 0) + 1);
  return { rows: [row], words };
}

function isSimilar(wanted: string, text: string, at: number): boolean {
  if (at + wanted.length > text.length) return false;
  let different = 0;
  for (let index = 0; index < wanted.length && different <= 2; index++)
    if (wanted[index] !== text[at + index]) different++;
  return different <= 2;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
