import { type PrintedInvoice, type PrintedLine, type PrintedTerm, readPrintedTerms } from '@docmill/einvoice';
import { compact, conventionsFor } from './conventions.ts';
import { labels } from './labels.ts';
import { type LinePlace, type MatchedLine, matchLines, overlap } from './match-lines.ts';
import { canonical, type DateToken, meansCurrency, type NumberToken } from './printed-values.ts';
import type { PrintedPage, PrintedWord } from './read-printed-pages.ts';
import type { Role } from './roles.ts';
import { type Row, TextIndex, toRows } from './rows.ts';

/** A rectangle on a page. Lengths are points from its upper left corner. */
export interface PrintedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A value of an invoice that its pages do not show where they should. */
export interface InvoiceDifference {
  /** Such as `BT-112`. */
  readonly term: string;
  readonly name: string;
  /** The line of the invoice, from 1. */
  readonly line?: number | undefined;
  /** The value of the XML. */
  readonly expected: string;
  /** What the pages show in its place; absent if nothing is recognized there. */
  readonly found?: string | undefined;
  /** Counted from 1, with the box: the place of what was found, or of the line. */
  readonly page?: number | undefined;
  readonly box?: PrintedBox | undefined;
}

/**
 * Compares an invoice in CII with its printed pages, in the conventions of a locale, or else in those that fit best.
 * Undefined for UBL.
 */
export function findDifferences(
  xml: string | Uint8Array,
  pages: readonly PrintedPage[],
  locale?: string,
): readonly InvoiceDifference[] | undefined {
  const invoice = readPrintedTerms(xml);
  if (invoice === undefined) return undefined;
  const results = conventionsFor(locale).map((conventions) => compare(invoice, toRows(pages, conventions)));
  return results.toSorted((a, b) => a.length - b.length)[0];
}

interface Comparison {
  readonly invoice: PrintedInvoice;
  readonly rows: readonly Row[];
  readonly index: TextIndex;
  readonly lines: readonly MatchedLine[];
  /** The rows outside of lines. */
  readonly free: readonly Row[];
}

function compare(invoice: PrintedInvoice, rows: readonly Row[]): readonly InvoiceDifference[] {
  const index = new TextIndex(rows);
  const lines = matchLines({ invoice, rows, index });
  const taken = new Set(lines.flatMap(({ place }) => place?.rows ?? []));
  const comparison = { invoice, rows, index, lines, free: rows.filter((row) => !taken.has(row)) };
  return [
    ...invoice.others.flatMap((term) => compareOther(comparison, term)),
    ...compareCurrency(comparison),
    ...lines.flatMap((line, at) => compareLine(comparison, line, at + 1)),
    ...compareVat(comparison),
    ...invoice.totals.flatMap((term) => compareTotal(comparison, term)),
  ];
}

type Place = Pick<InvoiceDifference, 'found' | 'page' | 'box'>;

const differing = (
  { term, name, value }: PrintedTerm,
  place: Place | undefined,
  line?: number,
): readonly InvoiceDifference[] => [{ term, name, ...(line !== undefined && { line }), expected: value, ...place }];

const maxFoundChars = 200;

function placeOf(row: Row, words: readonly PrintedWord[], found?: string): Place {
  const left = Math.min(...words.map((word) => word.left));
  const top = Math.min(...words.map((word) => word.top));
  const round = (points: number): number => Math.round(points * 10) / 10;
  const box = {
    x: round(left),
    y: round(top),
    width: round(Math.max(...words.map((word) => word.right)) - left),
    height: round(Math.max(...words.map((word) => word.bottom)) - top),
  };
  return { ...(found !== undefined && { found: found.slice(0, maxFoundChars) }), page: row.page, box };
}

function compareOther({ rows, index }: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
  if (term.kind === 'date') return compareDate(rows, term);
  if (compact(term.value) === '' || index.find(term.value).length > 0) return [];
  const similar = index.findSimilar(term.value);
  const [row] = similar?.rows ?? [];
  if (similar === undefined || row === undefined) return differing(term, undefined);
  return differing(term, placeOf(row, similar.words, similar.words.map(({ text }) => text).join(' ')));
}

function compareDate(rows: readonly Row[], term: PrintedTerm): readonly InvoiceDifference[] {
  const labelled = rows.flatMap((row) => {
    const date = labelledDate(row, term.term);
    return date === undefined ? [] : [{ row, date }];
  });
  const [first] = labelled;
  if (first !== undefined && labelled.every(({ date }) => date.value !== term.value))
    return differing(term, placeOf(first.row, first.date.words, first.date.text));
  return rows.some((row) => row.dates.some(({ value }) => value === term.value)) ? [] : differing(term, undefined);
}

/** The first date to the right of a label of the term. */
function labelledDate(row: Row, term: string): DateToken | undefined {
  const end = endOfLabel(row, term);
  if (end === undefined) return undefined;
  const right = row.words[row.wordAt[end - 1] ?? -1]?.right ?? 0;
  return row.dates
    .filter(({ words }) => (words[0]?.left ?? 0) >= right)
    .toSorted((a, b) => (a.words[0]?.left ?? 0) - (b.words[0]?.left ?? 0))[0];
}

/** Where a label of the term ends in the text of a row; undefined if it has none. */
function endOfLabel({ text, starts }: Row, term: string): number | undefined {
  for (const label of labels[term] ?? []) {
    const at = text.indexOf(label);
    const end = at + label.length;
    if (at >= 0 && starts[at] === true && (end === text.length || starts[end] === true)) return end;
  }
  return undefined;
}

function compareCurrency({ invoice: { currency }, rows }: Comparison): readonly InvoiceDifference[] {
  if (currency === undefined) return [];
  const isShown = rows.some(
    ({ words, numbers }) =>
      words.some(({ text }) => meansCurrency(text.replace(/^[(]|[).,:;]+$/g, ''), currency.value)) ||
      numbers.some((token) => token.currency !== undefined && meansCurrency(token.currency, currency.value)),
  );
  if (isShown) return [];
  for (const row of rows)
    for (const token of row.numbers)
      if (token.currency !== undefined) return differing(currency, placeOf(row, token.words, token.currency));
  return differing(currency, undefined);
}

function compareLine(
  comparison: Comparison,
  { line, place }: MatchedLine,
  number: number,
): readonly InvoiceDifference[] {
  const { item, quantity, price, amount } = line;
  const terms = [item, quantity, price, amount].filter((term) => term !== undefined);
  if (place === undefined) return terms.flatMap((term) => differing(term, undefined, number));
  const missing = (['quantity', 'price', 'amount'] as const).flatMap((role) => {
    const term = line[role];
    if (term === undefined || place.found.has(role)) return [];
    return differing(term, placeOfRole(comparison, place, role), number);
  });
  return [
    ...(item === undefined || place.isNamed ? [] : differing(item, rowPlace(place), number)),
    ...missing,
    ...compareLineRate(comparison, { line, place }, number),
    ...line.adjustments.flatMap((term) => {
      const isShown = place.band.some((row) => row.numbers.some((token) => hasSize(token, term)));
      return isShown ? [] : differing(term, rowPlace(place), number);
    }),
  ];
}

function rowPlace({ rows }: LinePlace): Place | undefined {
  const [row] = rows;
  return row && placeOf(row, row.words);
}

/** What stands in the column of a number in the rows of a line. */
function placeOfRole({ lines }: Comparison, place: LinePlace, role: Role): Place | undefined {
  const column = lines.flatMap((other) => other.place?.found.get(role) ?? [])[0];
  const used = new Set(place.found.values());
  const rest = place.numbers
    .filter((token) => !used.has(token) && !token.isPercent)
    .toSorted((a, b) => (a.words[0]?.left ?? 0) - (b.words[0]?.left ?? 0));
  const token =
    rest.find((each) => column !== undefined && overlap(each, column)) ??
    (column === undefined && rest.length > 0 ? rest[role === 'quantity' ? 0 : rest.length - 1] : undefined);
  const row = token && place.band.find(({ numbers }) => numbers.includes(token));
  return row === undefined || token === undefined ? rowPlace(place) : placeOf(row, token.words, token.text);
}

/** A rate in the row of a line must be its own. It may be left out if all lines have the same. */
function compareLineRate(
  { invoice, lines }: Comparison,
  { line, place }: { readonly line: PrintedLine; readonly place: LinePlace },
  number: number,
): readonly InvoiceDifference[] {
  const { rate } = line;
  if (rate === undefined) return [];
  const value = canonical(rate.value);
  const used = new Set(place.found.values());
  if (place.numbers.some((token) => token.value === value && !used.has(token))) return [];
  const explained = new Set(line.adjustments.map((term) => canonical(term.value)));
  const isDiscount = ({ value: shown }: NumberToken): boolean =>
    line.discountPercent !== undefined && Math.abs(Number(shown) - Number(line.discountPercent)) < 0.5;
  for (const row of place.rows)
    for (const token of row.numbers) {
      const isOther =
        token.isPercent && !explained.has(token.value) && !isDiscount(token) && place.numbers.includes(token);
      if (isOther && isAlone(row, token)) return differing(rate, placeOf(row, token.words, token.text), number);
    }
  const isCommon = invoice.lines.every((other) => canonical(other.rate?.value ?? '') === value);
  return isCommon || value === '0' || !showsRates(lines) ? [] : differing(rate, rowPlace(place), number);
}

const ratesShown = new WeakMap<readonly MatchedLine[], boolean>();

/** Whether any line shows its rate. Pages without such a column say nothing about the rates of lines. */
function showsRates(lines: readonly MatchedLine[]): boolean {
  const known = ratesShown.get(lines);
  if (known !== undefined) return known;
  const isShown = lines.some(({ line, place }) => {
    const used = new Set(place?.found.values());
    const rate = canonical(line.rate?.value ?? '');
    return place?.numbers.some((token) => token.isPercent && token.value === rate && !used.has(token)) ?? false;
  });
  ratesShown.set(lines, isShown);
  return isShown;
}

/** Whether a percentage is alone in its cell, and no part of a text such as "70 % cotton". */
function isAlone({ words }: Row, token: NumberToken): boolean {
  const at = words.findIndex((word) => token.words.includes(word));
  const [first, last] = [token.words[0], token.words.at(-1)];
  const before = words[at - 1];
  const after = words.slice(at + token.words.length).find(({ text }) => !text.startsWith('%'));
  const gap = first?.sizePt ?? 0;
  const isApart = (left: PrintedWord | undefined, right: PrintedWord | undefined): boolean =>
    left === undefined || right === undefined || right.left - left.right > gap;
  return isApart(before, first) && isApart(last, after);
}

/** Of several rates, each stands in a row with its amounts. */
function compareVat(comparison: Comparison): readonly InvoiceDifference[] {
  const { invoice, free, rows } = comparison;
  return invoice.vat.flatMap(({ rate, amounts }) => {
    const value = rate && canonical(rate.value);
    const ofRate = rows.filter((row) => row.numbers.some((token) => token.value === value && token.isPercent));
    const isSeveral = invoice.vat.length > 1 && rate !== undefined;
    const inColumn = free.filter((row) => {
      const own = row.numbers.filter((token) => token.value === value);
      return own.length > 0 && amounts.some((term) => row.numbers.some((token) => isAmount(comparison, token, term)));
    });
    const isRateShown = rate === undefined || ofRate.some((row) => free.includes(row)) || inColumn.length > 0;
    const where = isSeveral && inColumn.length > 0 ? inColumn : free;
    return [
      ...(isRateShown ? [] : differing(rate, otherRate(comparison))),
      ...amounts.flatMap((term) => {
        // Some templates show the tax of each rate in its row, and the taxable amounts elsewhere.
        const isStrict = term.term === 'BT-117' && isSeveral;
        const isShown = (isStrict ? where : free).some((row) =>
          row.numbers.some((token) => isAmount(comparison, token, term)),
        );
        if (!isShown) return differing(term, amountIn(ofRate.filter((row) => free.includes(row))));
        const foreign = term.term === 'BT-117' ? foreignAmountIn(comparison, ofRate) : undefined;
        return foreign === undefined ? [] : differing(term, foreign);
      }),
    ];
  });
}

/** A percentage outside of lines that is no rate of the invoice. */
function otherRate({ invoice, free }: Comparison): Place | undefined {
  const known = new Set(invoice.vat.map(({ rate }) => canonical(rate?.value ?? '')));
  for (const row of free)
    for (const token of row.numbers)
      if (token.isPercent && !known.has(token.value)) return placeOf(row, token.words, token.text);
  return undefined;
}

function amountIn(rows: readonly Row[]): Place | undefined {
  for (const row of rows) {
    const token = row.numbers.filter(isMoney).at(-1);
    if (token !== undefined) return placeOf(row, token.words, token.text);
  }
  return undefined;
}

/** An amount in the row of a rate that is none of the invoice. */
function foreignAmountIn({ invoice, free, lines }: Comparison, ofRate: readonly Row[]): Place | undefined {
  const terms = [...invoice.totals, ...invoice.vat.flatMap(({ amounts }) => amounts)].map(({ value }) => value);
  const ofLines = lines.flatMap(({ line }) => [line.amount, ...line.adjustments]).map((term) => term?.value ?? '');
  const known = new Set([...terms, ...invoice.known, ...ofLines].map((value) => canonical(value).replace('-', '')));
  for (const row of ofRate) {
    if (!free.includes(row)) continue;
    const token = row.numbers.find((each) => isMoney(each) && !known.has(each.value.replace('-', '')));
    // One amount that is known makes it a row of totals, and no text that mentions the rate.
    const isTotal = row.numbers.some((each) => isMoney(each) && known.has(each.value.replace('-', '')));
    if (token !== undefined && isTotal) return placeOf(row, token.words, token.text);
  }
  return undefined;
}

const isMoney = ({ isPercent, hasDecimals, currency }: NumberToken): boolean =>
  !isPercent && (hasDecimals || currency !== undefined);

/** Pages subtract allowances and payments, and print credit notes with either sign. */
const unsigned = new Set(['BT-92', 'BT-99', 'BT-107', 'BT-108', 'BT-113']);

/** Of the lines, the allowances, the charges, and the VAT of all rates. */
const sums = new Set(['BT-106', 'BT-107', 'BT-108', 'BT-110']);

function isAmount({ invoice }: Pick<Comparison, 'invoice'>, token: NumberToken, term: PrintedTerm): boolean {
  if (token.isPercent) return false;
  const { currency } = invoice;
  if (token.currency !== undefined && currency !== undefined && !meansCurrency(token.currency, currency.value))
    return false;
  if (unsigned.has(term.term) || invoice.isCreditNote) return hasSize(token, term);
  return token.value === canonical(term.value);
}

const hasSize = (token: NumberToken, term: PrintedTerm): boolean =>
  token.value.replace('-', '') === canonical(term.value).replace('-', '');

function compareTotal(comparison: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
  const { invoice, free } = comparison;
  const shown = free.filter((row) => row.numbers.some((token) => isAmount(comparison, token, term)));
  const labelled = free.filter((row) => endOfLabel(row, term.term) !== undefined && row.numbers.some(isMoney));
  // A sum may be left out, because its summands are compared by themselves.
  if (shown.length === 0 && labelled.length === 0 && sums.has(term.term)) return [];
  if (shown.length === 0) return differing(term, amountIn(labelled));
  // A label decides: another amount beside it is wrong, even if the right one stands elsewhere.
  if (labelled.length > 0 && term.term !== 'BT-109' && !labelled.some((row) => shown.includes(row)))
    return differing(term, amountIn(labelled));
  const terms = [...invoice.totals, ...invoice.vat.flatMap(({ amounts }) => amounts)];
  const isKnown = (token: NumberToken): boolean => terms.some((each) => isAmount(comparison, token, each));
  const wrong = labelled.find((row) => !row.numbers.filter(isMoney).some(isKnown));
  return wrong === undefined ? [] : differing(term, amountIn([wrong]));
}
