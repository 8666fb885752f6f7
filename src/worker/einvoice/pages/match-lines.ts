import type { PrintedInvoice, PrintedLine, PrintedTerm } from '@docmill/einvoice';
import { canonical, meansCurrency, type NumberToken } from './printed-values.ts';
import type { PrintedWord } from './read-printed-pages.ts';
import type { Occurrence, Row, TextIndex } from './rows.ts';

const roles = ['amount', 'price', 'quantity'] as const;
export type Role = (typeof roles)[number];

/** A line of the invoice with its place on the pages. */
export interface MatchedLine {
  readonly line: PrintedLine;
  /** Undefined if no row shows it. */
  readonly place: LinePlace | undefined;
}

export interface LinePlace {
  readonly isNamed: boolean;
  /** The rows of its name, and those of its numbers. */
  readonly rows: readonly Row[];
  /** Rows that may also belong to it, such as those of a description. */
  readonly band: readonly Row[];
  /** The numbers among them, without those of names. */
  readonly numbers: readonly NumberToken[];
  readonly found: ReadonlyMap<Role, NumberToken>;
}

interface Candidate {
  readonly isNamed: boolean;
  readonly rows: readonly Row[];
  readonly words: readonly PrintedWord[];
  readonly order: number;
  readonly score: number;
}

/** More places of a name than these are not told apart. */
const maxCandidates = 30;
const maxExtraRows = 6;
/** By how much the columns of numbers may differ, in points. */
const columnSlackPt = 2;

export interface LineContext {
  readonly invoice: PrintedInvoice;
  readonly rows: readonly Row[];
  readonly index: TextIndex;
}

/**
 * Finds the rows of each line: those of its name whose numbers are its quantity, price and amount, in the order of the
 * invoice. Numbers of one kind stand in one column.
 */
export function matchLines(context: LineContext): readonly MatchedLine[] {
  const { invoice } = context;
  const chosen = inOrder(candidatesOf(context));
  const starts = chosen.flatMap((candidate) => candidate?.rows[0]?.order ?? []).toSorted((a, b) => a - b);
  const totals = new Set(invoice.totals.map(({ value }) => canonical(value)));
  const places = invoice.lines.map((line, index) => {
    const candidate = chosen[index];
    return candidate === undefined ? undefined : openPlace(context, line, { candidate, starts, totals, index });
  });
  return alignColumns(context, places);
}

function candidatesOf({ invoice, rows, index }: LineContext): readonly (readonly Candidate[])[] {
  const seen = new Map<string, number>();
  return invoice.lines.map((line) => {
    const name = line.item?.value ?? '';
    const rank = seen.get(name) ?? 0;
    seen.set(name, rank + 1);
    const named = (name === '' ? [] : index.find(name)).map((place) => toCandidate(line, place, rows));
    const best = named.toSorted((a, b) => b.score - a.score);
    // Of equal lines, those about its own position are candidates.
    const from = best.length <= maxCandidates ? 0 : Math.max(0, Math.min(rank - maxCandidates / 2, best.length));
    const kept = best.slice(from, from + maxCandidates);
    return kept.some(({ score }) => score > 1) ? kept : [...kept, ...unnamed(line, rows)];
  });
}

/** Rows with the three numbers, if the name is nowhere. */
function unnamed(line: PrintedLine, rows: readonly Row[]): readonly Candidate[] {
  const found = rows.filter((row) => countMatches(line, row.numbers) === roles.length);
  return found
    .slice(0, maxCandidates)
    .map((row) => ({ isNamed: false, rows: [row], words: [], order: row.order, score: 2 }));
}

function toCandidate(line: PrintedLine, { rows: own, words }: Occurrence, rows: readonly Row[]): Candidate {
  const [first, last] = [own[0]?.order ?? 0, own.at(-1)?.order ?? 0];
  const between = rows.slice(first, last + 1);
  const numbers = between.flatMap((row) => row.numbers).filter((token) => !token.words.some((w) => words.includes(w)));
  return { isNamed: true, rows: between, words, order: first, score: 1 + 2 * countMatches(line, numbers) };
}

const countMatches = (line: PrintedLine, numbers: readonly NumberToken[]): number =>
  assign(line, numbers, () => true).size;

/** Chooses one candidate for each line, so that their order is that of the invoice and the sum of scores is greatest. */
function inOrder(candidates: readonly (readonly Candidate[])[]): readonly (Candidate | undefined)[] {
  interface Chain {
    readonly score: number;
    readonly order: number;
    readonly line: number;
    readonly candidate: Candidate;
    readonly before: Chain | undefined;
  }
  // The best chains by their last row: later rows only with higher scores.
  let best: Chain[] = [];
  for (const [line, own] of candidates.entries()) {
    const added: Chain[] = own.map((candidate) => {
      const before = lastBefore(best, candidate.order);
      return { score: (before?.score ?? 0) + candidate.score, order: candidate.order, line, candidate, before };
    });
    if (added.length > 0) best = frontier(best, added);
  }
  const chosen: (Candidate | undefined)[] = candidates.map(() => undefined);
  for (let chain = best.at(-1); chain !== undefined; chain = chain.before) chosen[chain.line] = chain.candidate;
  return chosen;
}

interface Scored {
  readonly score: number;
  readonly order: number;
}

/** The last entry before a row, by binary search. */
function lastBefore<Entry extends Scored>(entries: readonly Entry[], order: number): Entry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.order ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

function frontier<Entry extends Scored>(entries: readonly Entry[], added: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  const sorted = [...entries, ...added].sort((a, b) => a.order - b.order || b.score - a.score);
  for (const entry of sorted) if (entry.score > (kept.at(-1)?.score ?? 0)) kept.push(entry);
  return kept;
}

interface Choice {
  readonly candidate: Candidate;
  readonly starts: readonly number[];
  readonly totals: ReadonlySet<string>;
  readonly index: number;
}

type OpenPlace = Omit<LinePlace, 'found'>;

function openPlace(
  { rows, invoice }: LineContext,
  line: PrintedLine,
  { candidate, starts, totals, index }: Choice,
): OpenPlace {
  const last = candidate.rows.at(-1);
  const next = starts.find((start) => start > candidate.order) ?? rows.length;
  const band: Row[] = [...candidate.rows];
  const isOwn = (token: NumberToken): boolean => roles.some((role) => isValue(token, line[role], invoice));
  for (
    let order = (last?.order ?? 0) + 1;
    order < next && band.length < candidate.rows.length + maxExtraRows;
    order++
  ) {
    const row = rows[order];
    if (row === undefined || row.page !== last?.page) break;
    const hasTotal = row.numbers.some(({ value }) => totals.has(value));
    // Rows after the last line: totals end them, unless they also show the quantity or the price of the line.
    if (next === rows.length && hasTotal && row.numbers.filter(isOwn).length < 2) break;
    band.push(row);
  }
  const ids = new Set([line.id, String(index + 1)]);
  const numbers = band.flatMap((row) =>
    row.numbers.filter((token) => {
      const isPosition = token.words[0] === row.words[0] && ids.has(token.text.replace(/\.$/, ''));
      return !isPosition && !token.words.some((word) => candidate.words.includes(word));
    }),
  );
  return { isNamed: candidate.isNamed, rows: candidate.rows, band, numbers };
}

/** Assigns numbers to roles, so that each has its own; the amount is the last number that has its value. */
function assign(
  line: PrintedLine,
  numbers: readonly NumberToken[],
  isAllowed: (role: Role, token: NumberToken) => boolean,
  invoice?: PrintedInvoice,
): Map<Role, NumberToken> {
  const options = roles.map((role) =>
    numbers.filter((token) => isValue(token, line[role], invoice) && isAllowed(role, token)).toReversed(),
  );
  const best = new Map<Role, NumberToken>();
  const current = new Map<Role, NumberToken>();
  let budget = maxAttempts;
  const attempt = (at: number): void => {
    if (current.size + roles.length - at <= best.size || budget-- <= 0) return;
    const role = roles[at];
    if (role === undefined) {
      best.clear();
      for (const [each, token] of current) best.set(each, token);
      return;
    }
    const taken = new Set(current.values());
    for (const token of options[at] ?? []) {
      if (taken.has(token)) continue;
      current.set(role, token);
      attempt(at + 1);
      current.delete(role);
    }
    attempt(at + 1);
  };
  attempt(0);
  return best;
}

const maxAttempts = 200;

function isValue(token: NumberToken, term: PrintedTerm | undefined, invoice?: PrintedInvoice): boolean {
  if (term === undefined || token.isPercent || canonical(term.value) !== token.value) return false;
  if (term.kind !== 'amount' || token.currency === undefined || invoice?.currency === undefined) return true;
  return meansCurrency(token.currency, invoice.currency.value);
}

/** The numbers of a role stand in the column in which most lines have them. */
function alignColumns({ invoice }: LineContext, places: readonly (OpenPlace | undefined)[]): readonly MatchedLine[] {
  const first = places.map((place, index) => {
    const line = invoice.lines[index];
    return place === undefined || line === undefined ? undefined : assign(line, place.numbers, () => true, invoice);
  });
  const columns = new Map(roles.map((role) => [role, commonColumn(first.flatMap((found) => found?.get(role) ?? []))]));
  const isInColumn = (role: Role, token: NumberToken): boolean => {
    const column = columns.get(role);
    return column === undefined || overlap(token, column);
  };
  return invoice.lines.map((line, index) => {
    const place = places[index];
    if (place === undefined) return { line, place };
    const found = assign(line, place.numbers, isInColumn, invoice);
    const rows = place.band.filter(
      (row) => place.rows.includes(row) || [...found.values()].some((token) => row.numbers.includes(token)),
    );
    return { line, place: { ...place, rows, found } };
  });
}

function commonColumn(tokens: readonly NumberToken[]): NumberToken | undefined {
  const sample = tokens.slice(0, 50);
  const votes = sample.map((token) => sample.filter((other) => overlap(token, other)).length);
  return sample[votes.indexOf(Math.max(...votes))];
}

export function overlap(a: NumberToken, b: NumberToken): boolean {
  const [left, right] = extent(a);
  const [otherLeft, otherRight] = extent(b);
  return left <= otherRight + columnSlackPt && otherLeft <= right + columnSlackPt;
}

const extent = ({ words }: NumberToken): readonly [number, number] => [words[0]?.left ?? 0, words.at(-1)?.right ?? 0];
