import { type PrintedInvoice, type PrintedLine, type PrintedTerm, readPrintedTerms } from '@docmill/einvoice';
import { compact, conventionsFor } from './conventions.ts';
import { earlyPayment, labels, looseLabels, partialSums, vatWords } from './labels.ts';
import { type LinePlace, type MatchedLine, matchLines, overlap } from './match-lines.ts';
import { canonical, type DateToken, isCurrency, meansCurrency, type NumberToken, plus } from './printed-values.ts';
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
  /** Whether the lines have one rate. */
  readonly isOneRate: boolean;
  /** Whether whole amounts are printed with zeros, such as `100,00`, so that a bare number is no amount. */
  readonly hasFixedDecimals: boolean;
  /** All amounts of the invoice, unsigned. */
  readonly known: ReadonlySet<string>;
}

function compare(invoice: PrintedInvoice, rows: readonly Row[]): readonly InvoiceDifference[] {
  const index = new TextIndex(rows);
  const lines = matchLines({ invoice, rows, index });
  const taken = new Set(lines.flatMap(({ place }) => place?.rows ?? []));
  const comparison = {
    invoice,
    rows,
    index,
    lines,
    free: rows.filter((row) => !taken.has(row)),
    isOneRate: new Set(invoice.lines.map(({ rate }) => canonical(rate?.value ?? ''))).size <= 1,
    hasFixedDecimals: rows.some(({ numbers }) => numbers.some(isWithZeros)),
    known: knownAmounts(invoice),
  };
  return [
    ...invoice.others.flatMap((term) => compareOther(comparison, term)),
    ...compareCurrency(comparison),
    ...lines.flatMap((line, at) => compareLine(comparison, line, at + 1)),
    ...compareVat(comparison),
    ...findForeignVat(comparison),
    ...invoice.totals.flatMap((term) => compareTotal(comparison, term)),
  ];
}

/** Numbers that are printed as they are, such as `35.1`, have no zero at their end. */
const isWithZeros = ({ text, decimals, isPercent }: NumberToken): boolean =>
  !isPercent && decimals >= 2 && /0(?=\D*$)/.test(text.slice(-maxTail));
const maxTail = 10;

function knownAmounts(invoice: PrintedInvoice): ReadonlySet<string> {
  const gross = invoice.vat.flatMap(({ amounts: [first, second] }) =>
    first === undefined ? [] : (plus(first.value, second?.value ?? '0') ?? []),
  );
  const ofLines = invoice.lines.flatMap(({ amount, adjustments }) => [amount, ...adjustments]);
  const terms = [...invoice.totals, ...invoice.vat.flatMap(({ amounts }) => amounts), ...ofLines];
  const values = [...terms.map((term) => term?.value ?? ''), ...invoice.known, ...gross];
  return new Set(values.map((value) => canonical(value).replace('-', '')));
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

function compareOther({ invoice, rows, index }: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
  if (term.kind === 'date') return compareDate(invoice, rows, term);
  if (compact(term.value) === '' || index.find(term.value).length > 0) return [];
  const similar = index.findSimilar(term.value);
  const [row] = similar?.rows ?? [];
  if (similar === undefined || row === undefined) return differing(term, undefined);
  return differing(term, placeOf(row, similar.words, similar.words.map(({ text }) => text).join(' ')));
}

function compareDate(invoice: PrintedInvoice, rows: readonly Row[], term: PrintedTerm): readonly InvoiceDifference[] {
  const labelled = rows.flatMap((row) => {
    const date = isEarlyPayment(row, rows) ? undefined : labelledDate(row, term.term);
    return date === undefined ? [] : [{ row, date }];
  });
  const [first] = labelled;
  // An invoice may have several dates of a kind, and a label for the first of them.
  const own = new Set(invoice.others.filter((other) => other.term === term.term).map(({ value }) => value));
  if (first !== undefined && labelled.every(({ date }) => !own.has(date.value)))
    return differing(term, placeOf(first.row, first.date.words, first.date.text));
  if (rows.some((row) => row.dates.some(({ value }) => value === term.value))) return [];
  return isWholeMonths(invoice) && isMonthShown(rows, term) ? [] : differing(term, undefined);
}

/** Whether the period of the invoice begins with the first day of a month and ends with the last. */
function isWholeMonths({ others }: PrintedInvoice): boolean {
  const dateOf = (wanted: string): string => others.find(({ term }) => term === wanted)?.value ?? '';
  const next = new Date(`${dateOf('BT-74')}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return dateOf('BT-73').endsWith('-01') && next.getUTCDate() === 1;
}

const isMonthShown = (rows: readonly Row[], { term, value }: PrintedTerm): boolean =>
  ['BT-73', 'BT-74'].includes(term) && rows.some(({ months }) => months.includes(value.slice(0, 7)));

const hasAny = ({ text }: Row, words: readonly string[]): boolean => words.some((word) => text.includes(word));

/** Whether a row is about a discount for early payment, or a percentage that is explained in the next row. */
function isEarlyPayment(row: Row, rows: readonly Row[]): boolean {
  if (hasAny(row, earlyPayment)) return true;
  const next = rows[row.order + 1];
  const isContinued = next !== undefined && next.page === row.page && hasAny(next, earlyPayment);
  return isContinued && row.numbers.some(({ isPercent }) => isPercent) && !row.numbers.some(isMoney);
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
const endOfLabel = (row: Row, term: string): number | undefined => endOfAny(row, labels[term] ?? []);

function endOfAny({ text, starts }: Row, words: readonly string[]): number | undefined {
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (starts[at] === true && (end === text.length || starts[end] === true)) return end;
    }
  }
  return undefined;
}

function compareCurrency({ invoice: { currency }, rows }: Comparison): readonly InvoiceDifference[] {
  if (currency === undefined) return [];
  const isShown = rows.some(
    ({ words, numbers }) =>
      words.some(({ text }) => meansCurrency(text, currency.value)) ||
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
    if (role !== 'amount' && isLumpSum(line, place)) return [];
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

/** Whether a line says its amount only, which is that of one piece. */
function isLumpSum(
  { quantity, price, amount, rate }: PrintedLine,
  { found, rows, numbers, position }: LinePlace,
): boolean {
  if (!found.has('amount') || canonical(quantity?.value ?? '') !== '1') return false;
  if (canonical(price?.value ?? '') !== canonical(amount?.value ?? '')) return false;
  const used = new Set(found.values());
  const ofRate = canonical(rate?.value ?? '');
  const isRest = (token: NumberToken): boolean =>
    numbers.includes(token) &&
    !used.has(token) &&
    !token.isPercent &&
    token.value !== ofRate &&
    token.words[0] !== position?.words[0];
  return !rows.some((row) => row.numbers.some(isRest));
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
  { isOneRate, lines }: Comparison,
  { line, place }: { readonly line: PrintedLine; readonly place: LinePlace },
  number: number,
): readonly InvoiceDifference[] {
  const { rate } = line;
  if (rate === undefined) return [];
  const value = canonical(rate.value);
  const used = new Set(place.found.values());
  if (place.numbers.some((token) => token.value === value && !used.has(token))) return [];
  const explained = new Set(line.adjustments.map((term) => canonical(term.value)));
  const isDiscount = ({ value: shown, hasMinus }: NumberToken): boolean =>
    hasMinus || (line.discountPercent !== undefined && Math.abs(Number(shown) - Number(line.discountPercent)) < 0.5);
  for (const row of place.rows)
    for (const token of row.numbers) {
      const isOther =
        token.isPercent && !explained.has(token.value) && !isDiscount(token) && place.numbers.includes(token);
      if (isOther && isAlone(row, token)) return differing(rate, placeOf(row, token.words, token.text), number);
    }
  return isOneRate || value === '0' || !showsRates(lines) ? [] : differing(rate, rowPlace(place), number);
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
      const own = row.numbers.find((token) => token.value === value);
      // The tax of 100.00 is its rate.
      const others = row.numbers.filter((token) => token !== own);
      return (
        own !== undefined && amounts.some((term) => others.some((token) => isAmount(comparison, row, token, term)))
      );
    });
    const isRateShown =
      rate === undefined ||
      ofRate.some((row) => free.includes(row)) ||
      inColumn.length > 0 ||
      isInLinesOnly(comparison, value);
    const where = isSeveral && inColumn.length > 0 ? inColumn : free;
    return [
      ...(isRateShown ? [] : differing(rate, otherRate(comparison))),
      ...amounts.flatMap((term) => {
        // Some templates show the tax of each rate in its row, and the taxable amounts elsewhere.
        const isStrict = term.term === 'BT-117' && isSeveral;
        const isShown = (isStrict ? where : free).some((row) =>
          row.numbers.some((token) => isAmount(comparison, row, token, term)),
        );
        if (!isShown) return differing(term, amountIn(ofRate.filter((row) => free.includes(row))));
        const foreign = term.term === 'BT-117' ? foreignAmountIn(comparison, ofRate) : undefined;
        return foreign === undefined ? [] : differing(term, foreign);
      }),
    ];
  });
}

/** Whether lines show the only rate, and the totals none. */
function isInLinesOnly({ invoice, lines, free, rows }: Comparison, value: string | undefined): boolean {
  if (invoice.vat.length > 1) return false;
  const isInLine = ({ place }: MatchedLine): boolean => {
    const used = new Set(place?.found.values());
    return place?.numbers.some((token) => token.value === value && !used.has(token)) ?? false;
  };
  const amounts = new Set(invoice.vat.flatMap((vat) => vat.amounts).map((term) => canonical(term.value)));
  const isOther = (row: Row): boolean =>
    row.numbers.some((token) => token.isPercent && !token.hasMinus && token.value !== value && token.value !== '0') &&
    (hasVatWord(row) || row.numbers.some((token) => isMoney(token) && amounts.has(token.value))) &&
    !isEarlyPayment(row, rows);
  return lines.some(isInLine) && !free.some(isOther);
}

const hasVatWord = (row: Row): boolean => endOfAny(row, vatWords) !== undefined;

/** The rates of the invoice, and other percentages that it has. */
const knownPercents = ({ invoice }: Comparison): ReadonlySet<string> =>
  new Set([
    '0',
    ...invoice.vat.map(({ rate }) => canonical(rate?.value ?? '')),
    ...invoice.lines.map(({ rate }) => canonical(rate?.value ?? '')),
    ...invoice.known.map(canonical),
  ]);

/** A percentage outside of lines that is no rate of the invoice. */
function otherRate(comparison: Comparison): Place | undefined {
  const { free, rows } = comparison;
  const known = knownPercents(comparison);
  for (const row of free)
    for (const token of row.numbers)
      if (token.isPercent && !token.hasMinus && !known.has(token.value) && !isEarlyPayment(row, rows))
        return placeOf(row, token.words, token.text);
  return undefined;
}

const maxRowsOfTable = 6;

/** VAT on the pages that the invoice does not have: a rate of its own, with an amount of its own. */
function findForeignVat(comparison: Comparison): readonly InvoiceDifference[] {
  const { invoice, free, rows, known } = comparison;
  const percents = knownPercents(comparison);
  const rates = [...new Set(invoice.vat.map(({ rate }) => canonical(rate?.value ?? '')))].join(', ');
  const term: PrintedTerm = { term: 'BT-119', name: 'VAT rate', kind: 'rate', value: rates === '' ? '0' : rates };
  for (const row of free) {
    const token = row.numbers.find(
      ({ isPercent, hasMinus, value }) => isPercent && !hasMinus && Number(value) <= 100 && !percents.has(value),
    );
    if (token === undefined || isEarlyPayment(row, rows)) continue;
    const money = row.numbers.filter(isMoney);
    if (money.every(({ value }) => known.has(value.replace('-', '')) || value === '0')) continue;
    if (hasVatWord(row) || (isTaxRow(money, token) && isBelowVatWord(row, rows)))
      return differing(term, placeOf(row, token.words, token.text));
  }
  return [];
}

/** Whether one of the amounts is the percentage of another. */
const isTaxRow = (money: readonly NumberToken[], percent: NumberToken): boolean =>
  money.some((base) =>
    money.some((tax) => Math.abs(Number(base.value) * (Number(percent.value) / 100) - Number(tax.value)) < 0.006),
  );

/** Whether a row above, such as the header of a table, speaks of VAT. */
const isBelowVatWord = (row: Row, rows: readonly Row[]): boolean =>
  rows
    .slice(Math.max(0, row.order - maxRowsOfTable), row.order)
    .some((above) => above.page === row.page && hasVatWord(above));

function amountIn(rows: readonly Row[], term?: string): Place | undefined {
  for (const row of rows) {
    const token = (term === undefined ? row.numbers.filter(isMoney) : labelledAmounts(row, term)).at(-1);
    if (token !== undefined) return placeOf(row, token.words, token.text);
  }
  return undefined;
}

/** The amounts in a row with a label of the term: those with cents or a currency, or the number right after the label. */
function labelledAmounts(row: Row, term: string): readonly NumberToken[] {
  const money = row.numbers.filter(isMoney);
  const end = endOfLabel(row, term);
  if (money.length > 0 || end === undefined) return money;
  const rest = row.text.slice(end);
  return row.numbers.filter(({ text, isPercent }) => !isPercent && text.replaceAll(/\D/g, '') === rest);
}

/** An amount in the row of a rate that is none of the invoice. */
function foreignAmountIn({ free, rows, known }: Comparison, ofRate: readonly Row[]): Place | undefined {
  const isKnown = (token: NumberToken): boolean => known.has(token.value.replace('-', ''));
  for (const row of ofRate) {
    if (!free.includes(row) || isEarlyPayment(row, rows)) continue;
    const token = row.numbers.find((each) => isMoney(each) && !isKnown(each));
    // One amount that is known makes it a row of totals, and no text that mentions the rate.
    if (token !== undefined && row.numbers.some((each) => isMoney(each) && isKnown(each)))
      return placeOf(row, token.words, token.text);
  }
  return undefined;
}

const isMoney = ({ isPercent, hasDecimals, currency }: NumberToken): boolean =>
  !isPercent && (hasDecimals || currency !== undefined);

/** Pages subtract allowances and payments, and print credit notes with either sign. */
const unsigned = new Set(['BT-92', 'BT-99', 'BT-107', 'BT-108', 'BT-113']);

/** Of the lines, the allowances, the charges, and the VAT of all rates. */
const sums = new Set(['BT-106', 'BT-107', 'BT-108', 'BT-110']);

/** Whether a number may be the amount of the term, wherever it stands. */
function isAmount(comparison: Comparison, row: Row, token: NumberToken, term: PrintedTerm): boolean {
  if (!isMoney(token) && (comparison.hasFixedDecimals || isInDate(row, token))) return false;
  return isEqual(comparison, token, term);
}

const isInDate = ({ dates }: Row, token: NumberToken): boolean =>
  dates.some(({ words }) => token.words.some((word) => words.includes(word)));

/** Whether a number is the amount of the term. */
function isEqual({ invoice }: Comparison, token: NumberToken, term: PrintedTerm): boolean {
  if (token.isPercent || isOtherCurrency(token, invoice)) return false;
  if (unsigned.has(term.term) || invoice.isCreditNote) return hasSize(token, term);
  return token.value === canonical(term.value);
}

const isOtherCurrency = (token: NumberToken, { currency }: PrintedInvoice): boolean =>
  token.currency !== undefined && currency !== undefined && !meansCurrency(token.currency, currency.value);

const hasSize = (token: NumberToken, term: PrintedTerm): boolean =>
  token.value.replace('-', '') === canonical(term.value).replace('-', '');

function compareTotal(comparison: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
  const { invoice, free, rows } = comparison;
  const equals = (token: NumberToken): boolean => isEqual(comparison, token, term);
  const labelled = free.filter(
    (row) => labelledAmountsOf(row, term.term).length > 0 && !isEarlyPayment(row, rows) && !hasAny(row, partialSums),
  );
  const isShown = (row: Row): boolean =>
    row.numbers.some((token) => isAmount(comparison, row, token, term)) ||
    (labelled.includes(row) && labelledAmounts(row, term.term).some(equals));
  const shown = new Set(free.filter(isShown));
  // Totals may be repeated in the currency of the VAT.
  const own = labelled.filter((row) => !isForeign(row, invoice));
  const deciding = own.some((row) => shown.has(row)) ? own : labelled;
  // A sum may be left out, because its summands are compared by themselves; and so may nothing to pay.
  if (shown.size === 0 && labelled.length === 0 && (sums.has(term.term) || canonical(term.value) === '0')) return [];
  if (shown.size === 0) return differing(term, amountIn(labelled, term.term));
  // A label decides: another amount beside it is wrong, even if the right one stands elsewhere.
  if (deciding.length > 0 && term.term !== 'BT-109' && !deciding.some((row) => shown.has(row)))
    return differing(term, amountIn(deciding, term.term));
  const isRight = (row: Row, at: number): boolean => {
    const amounts = labelledAmounts(row, term.term);
    if (amounts.some(equals)) return true;
    if (term.term !== 'BT-115') return amounts.some((token) => isKnownTotal(comparison, token));
    // What was to pay before a payment may precede what is left.
    return isTotalBeforeRest(comparison, amounts) && deciding.slice(at + 1).some((other) => shown.has(other));
  };
  const wrong =
    deciding.find((row, at) => !isRight(row, at)) ?? (term.term === 'BT-112' ? looseTotal(comparison) : undefined);
  return wrong === undefined ? [] : differing(term, amountIn([wrong]) ?? amountIn([wrong], term.term));
}

/** With its sign: a total with a minus is another one. */
const isKnownTotal = ({ invoice, known }: Comparison, token: NumberToken): boolean =>
  known.has(token.value.replace('-', '')) &&
  !isOtherCurrency(token, invoice) &&
  (invoice.isCreditNote ||
    !token.value.startsWith('-') ||
    invoice.totals.some(({ value }) => canonical(value) === token.value));

const labelledAmountsOf = (row: Row, term: string): readonly NumberToken[] =>
  endOfLabel(row, term) === undefined ? [] : labelledAmounts(row, term);

function isTotalBeforeRest({ invoice: { totals } }: Comparison, amounts: readonly NumberToken[]): boolean {
  const total = totals.find(({ term }) => term === 'BT-112');
  const isPaid = totals.some(({ term }) => term === 'BT-113');
  return isPaid && total !== undefined && amounts.some((token) => token.value === canonical(total.value));
}

/** A row with another word for the total, and no amount of the invoice. */
function looseTotal({ invoice, free, rows, known }: Comparison): Row | undefined {
  return free.find((row) => {
    const money = row.numbers.filter(isMoney);
    const isOther = money.length > 0 && money.every(({ value }) => !known.has(value.replace('-', '')));
    if (!isOther || endOfAny(row, looseLabels) === undefined) return false;
    return !isEarlyPayment(row, rows) && !hasAny(row, partialSums) && !isForeign(row, invoice);
  });
}

/** Whether a row names another currency, and not that of the invoice. */
function isForeign({ words }: Row, { currency }: PrintedInvoice): boolean {
  if (currency === undefined) return false;
  const named = words.filter(({ text }) => isCurrency(text.replaceAll(/\d/g, '')));
  return named.length > 0 && !named.some(({ text }) => meansCurrency(text.replaceAll(/\d/g, ''), currency.value));
}
