import type { Conventions } from './conventions.ts';
import { compact, plain } from './conventions.ts';
import { type DateToken, readDates, readMonths } from './printed-date.ts';
import { type NumberToken, readNumbers } from './printed-number.ts';
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
  /** Months without a day, such as `2026-03`. */
  readonly months: readonly string[];
}

/** Divides pages into rows. */
export function toRows(pages: readonly PrintedPage[], conventions: Conventions): readonly Row[] {
  let order = 0;
  return pages.flatMap(({ words }, index) =>
    divide(words).map((row, at) => {
      const sorted = row.toSorted((a, b) => a.left - b.left);
      const numbers = readNumbers(sorted, conventions);
      const dates = readDates(sorted, conventions);
      const months = readMonths(sorted, conventions);
      return {
        page: index + 1,
        order: order++,
        index: at,
        y: row[0]?.y ?? 0,
        words: sorted,
        ...indexCharacters(sorted),
        numbers,
        dates,
        months,
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
/** Of continuations in a document, whose number does not grow with that of the texts. */
const maxContinuations = 2_000_000;

/** A reading of the pages: from the beginning of a word, maybe through several rows of a column. */
interface Reading {
  readonly row: Row;
  /** Where its part in this row begins, and how far it has been read. */
  readonly from: number;
  readonly to: number;
  /** Its part in the rows above. */
  readonly above: Reading | undefined;
  readonly depth: number;
}

/** All readings with the same characters. */
interface Branch {
  /** Dropped when those of the next character are known. */
  readings: readonly Reading[];
  next: ReadonlyMap<string, Branch> | undefined;
  /** Those that end with a word. */
  ends: readonly Reading[];
}

/**
 * Finds texts, also those that are broken over several rows of a column. Texts that begin alike, as the names of lines
 * often do, share the readings of their beginnings.
 */
export class TextIndex {
  private readonly rows: readonly Row[];
  private readonly root: Branch;
  private continued = 0;

  constructor(rows: readonly Row[]) {
    this.rows = rows;
    const starts = rows.flatMap((row) =>
      row.starts.flatMap((isStart, at) => (isStart ? [{ row, from: at, to: at, above: undefined, depth: 1 }] : [])),
    );
    this.root = { readings: starts, next: undefined, ends: [] };
  }

  /** How many continuations have been tried so far. */
  get continuationsTried(): number {
    return this.continued;
  }

  /** The places of a text, in reading order. They begin and end with a word. */
  find(text: string): readonly Occurrence[] {
    let branch: Branch | undefined = this.root;
    for (const character of unitsOf(compact(text))) {
      branch = this.expand(branch).get(character);
      if (branch === undefined) return [];
    }
    this.expand(branch);
    // Of the readings from one word, the one in the fewest rows.
    const found = new Map<PrintedWord | undefined, Occurrence & { readonly start: Reading }>();
    for (const reading of branch.ends) {
      const start = firstOf(reading);
      const word = start.row.words[start.row.wordAt[start.from] ?? -1];
      const place = toOccurrence(reading);
      if ((found.get(word)?.rows.length ?? Number.POSITIVE_INFINITY) > place.rows.length)
        found.set(word, { ...place, start });
    }
    return [...found.values()]
      .sort((a, b) => a.start.row.order - b.start.row.order || a.start.from - b.start.from)
      .slice(0, maxOccurrences);
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

  /** The branches of a branch by their next character. */
  private expand(branch: Branch): ReadonlyMap<string, Branch> {
    if (branch.next !== undefined) return branch.next;
    const next = new Map<string, { readings: Reading[]; next: undefined; ends: readonly Reading[] }>();
    const add = (reading: Reading): void => {
      const character = reading.row.text[reading.to - 1] ?? '';
      const known = next.get(character);
      if (known === undefined) next.set(character, { readings: [reading], next: undefined, ends: [] });
      else known.readings.push(reading);
    };
    const ends: Reading[] = [];
    for (const reading of branch.readings) {
      const { row, from, to, depth } = reading;
      if (to < row.text.length) add({ ...reading, to: to + 1 });
      if (to === from || !isBoundary(row, to)) continue;
      ends.push(reading);
      if (depth >= maxRows || this.continued >= maxContinuations) continue;
      // The part that ends with a word may be followed by other columns, whose text may happen to continue it.
      for (const [below, at] of this.continuations(row, occurrence(row, from, to))) {
        this.continued++;
        add({ row: below, from: at, to: at + 1, above: reading, depth: depth + 1 });
      }
    }
    branch.ends = ends;
    branch.next = next;
    branch.readings = [];
    return next;
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

const unitsOf = (text: string): readonly string[] => text.split('');

function firstOf(reading: Reading): Reading {
  let first = reading;
  while (first.above !== undefined) first = first.above;
  return first;
}

function toOccurrence(reading: Reading): Occurrence {
  const parts: Occurrence[] = [];
  for (let part: Reading | undefined = reading; part !== undefined; part = part.above)
    parts.unshift(occurrence(part.row, part.from, part.to));
  return { rows: parts.flatMap(({ rows }) => rows), words: parts.flatMap(({ words }) => words) };
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
