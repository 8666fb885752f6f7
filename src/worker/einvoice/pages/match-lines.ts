import { decimalOf, type PrintedInvoice, type PrintedLine, roundTo } from '@docmill/einvoice';
import { dropMisplaced } from './column-headers.ts';
import { type Candidate, inOrder } from './order-candidates.ts';
import { meansCurrency } from './printed-currency.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import { type Role, roles } from './roles.ts';
import type { Occurrence, Row, TextIndex } from './rows.ts';

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
  /** The numbers among them, without those of names: row by row, in a row from right to left. */
  readonly numbers: readonly NumberToken[];
  /** The number that is the position of the line, if any. */
  readonly position: NumberToken | undefined;
  readonly found: ReadonlyMap<Role, NumberToken>;
}

/** More places of a name than these are not told apart. */
const maxCandidates = 30;

const maxExtraRows = 15;

/** By how much the columns of numbers may differ, in points. */
const columnSlackPt = 2;

/** By how much a number in the middle of a cell may be shifted, if no other column is nearer. */
const maxShiftPt = 25;

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
  const terms = [...invoice.totals, ...invoice.vat.flatMap(({ amounts }) => amounts)];
  const totals = new Set(terms.map(({ value }) => canonical(value)).filter((value) => value !== '0'));
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
  const numbers = between
    .flatMap((row) => row.numbers.toReversed())
    .filter((token) => !token.words.some((word) => words.includes(word)));
  return { isNamed: true, rows: between, words, order: first, score: 1 + 2 * countMatches(line, numbers) };
}

const countMatches = (line: PrintedLine, numbers: readonly NumberToken[]): number =>
  assign(line, numbers, () => true).size;

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
  const isOwn = (token: NumberToken): boolean => roles.some((role) => isValue(token, line, role, invoice));
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
    row.numbers.filter((token) => !token.words.some((word) => candidate.words.includes(word))).toReversed(),
  );
  const firsts = new Set(band.map((row) => row.words[0]));
  const position = numbers.find((token) => firsts.has(token.words[0]) && ids.has(token.text.replace(/\.$/, '')));
  return { isNamed: candidate.isNamed, rows: candidate.rows, band, numbers, position };
}

/**
 * Assigns numbers to roles, so that each has its own. Those of upper rows come first, and in a row those on the right:
 * the amount follows an equal price.
 */
function assign(
  line: PrintedLine,
  numbers: readonly NumberToken[],
  isAllowed: (role: Role, token: NumberToken) => boolean,
  invoice?: PrintedInvoice,
): Map<Role, NumberToken> {
  const options = roles.map((role) =>
    numbers.filter((token) => isValue(token, line, role, invoice) && isAllowed(role, token)),
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

function isValue(token: NumberToken, line: PrintedLine, role: Role, invoice?: PrintedInvoice): boolean {
  const term = line[role];
  if (term === undefined || token.isPercent) return false;
  if (!valuesOf(line, role, invoice).some((value) => isPrinted(token, value, role))) return false;
  if (term.kind !== 'amount' || token.currency === undefined || invoice?.currency === undefined) return true;
  return meansCurrency(token.currency, invoice.currency.value);
}

/** The values that a page may show: credit notes have either sign, and a gross price stands for the net one. */
function valuesOf(line: PrintedLine, role: Role, invoice: PrintedInvoice | undefined): readonly string[] {
  const value = canonical(line[role]?.value ?? '');
  const unsigned = value.replace('-', '');
  if (invoice?.isCreditNote === true) return [unsigned, `-${unsigned}`];
  if (role === 'quantity') return [value, unsigned];
  return role === 'price' && line.grossPrice !== undefined ? [value, canonical(line.grossPrice)] : [value];
}

/** Whether a number is the value. Prices are often printed with two of their decimals. */
function isPrinted({ value, decimals }: NumberToken, wanted: string, role: Role): boolean {
  if (value === wanted) return true;
  const given = wanted.split('.')[1]?.length ?? 0;
  return (
    role === 'price' && decimals >= 2 && given > decimals && value === roundTo(decimalOf(wanted), decimals).toString()
  );
}

/** The numbers of a role stand in the column in which most lines have them. */
function alignColumns(
  { invoice, rows: all }: LineContext,
  opened: readonly (OpenPlace | undefined)[],
): readonly MatchedLine[] {
  const isNumbered = hasPositions(invoice, opened);
  const places = opened.map((place) => {
    if (place === undefined || !isNumbered) return place;
    return { ...place, numbers: place.numbers.filter((token) => token !== place.position) };
  });
  const first = places.map((place, index) => {
    const line = invoice.lines[index];
    return place === undefined || line === undefined ? undefined : assign(line, place.numbers, () => true, invoice);
  });
  const columns = new Map(roles.map((role) => [role, commonColumn(first.flatMap((found) => found?.get(role) ?? []))]));
  const isInColumn = (role: Role, token: NumberToken): boolean => {
    const column = columns.get(role);
    if (column === undefined || overlap(token, column)) return true;
    const own = distance(token, column);
    return (
      own <= maxShiftPt && [...columns.values()].every((other) => other === undefined || own <= distance(token, other))
    );
  };
  const assigned = invoice.lines.map((line, index) => assign(line, places[index]?.numbers ?? [], isInColumn, invoice));
  dropMisplaced(assigned, places, all);
  return invoice.lines.map((line, index) => {
    const place = places[index];
    const found = assigned[index];
    if (place === undefined || found === undefined) return { line, place: undefined };
    const rows = place.band.filter(
      (row) => place.rows.includes(row) || [...found.values()].some((token) => row.numbers.includes(token)),
    );
    return { line, place: { ...place, rows, found } };
  });
}

/**
 * Whether lines begin with their position. A quantity may be equal to it, so one number of a line has to be its
 * quantity, or stand in its place.
 */
function hasPositions(invoice: PrintedInvoice, places: readonly (OpenPlace | undefined)[]): boolean {
  let isProven = false;
  for (const [index, place] of places.entries()) {
    const line = invoice.lines[index];
    if (place === undefined || line === undefined) continue;
    if (place.position === undefined) return false;
    if (isProven) continue;
    const others = place.numbers.filter((token) => token !== place.position);
    const found = assign(line, others, () => true, invoice);
    const assigned = new Set(found.values());
    const rows = place.band.filter((row) => row.numbers.some((token) => assigned.has(token)));
    const rate = canonical(line.rate?.value ?? '');
    const isRest = (token: NumberToken): boolean =>
      others.includes(token) && !assigned.has(token) && !token.isPercent && token.value !== rate;
    isProven = found.has('quantity') || rows.some((row) => row.numbers.some(isRest));
  }
  return isProven;
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

/** The space between two numbers side by side, 0 if they overlap. */
function distance(a: NumberToken, b: NumberToken): number {
  const [[left, right], [otherLeft, otherRight]] = [extent(a), extent(b)];
  return Math.max(0, otherLeft - right, left - otherRight);
}

const extent = ({ words }: NumberToken): readonly [number, number] => [words[0]?.left ?? 0, words.at(-1)?.right ?? 0];
