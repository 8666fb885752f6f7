import { type PrintedInvoice, type PrintedTerm, readPrintedTerms, sumOf } from '@docmill/einvoice';
import { compareDate } from './compare-dates.ts';
import { compareLine, showsRate } from './compare-lines.ts';
import { compareTotal } from './compare-totals.ts';
import { compareVat, findForeignVat } from './compare-vat.ts';
import type { Comparison } from './comparison.ts';
import { compact, conventionsFor } from './conventions.ts';
import { differing, type InvoiceDifference, placeOf } from './difference.ts';
import { matchLines } from './match-lines.ts';
import { meansCurrency } from './printed-currency.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import type { PrintedPage } from './read-printed-pages.ts';
import { type Row, TextIndex, toRows } from './rows.ts';

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
    showsRates: lines.some(showsRate),
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
    first === undefined ? [] : sumOf([first.value, second?.value ?? '0']).toString(),
  );
  const ofLines = invoice.lines.flatMap(({ amount, adjustments }) => [amount, ...adjustments]);
  const terms = [...invoice.totals, ...invoice.vat.flatMap(({ amounts }) => amounts), ...ofLines];
  const values = [...terms.map((term) => term?.value ?? ''), ...invoice.known, ...gross];
  return new Set(values.map((value) => canonical(value).replace('-', '')));
}

function compareOther({ invoice, rows, index }: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
  if (term.kind === 'date') return compareDate(invoice, rows, term);
  if (compact(term.value) === '' || index.find(term.value).length > 0) return [];
  const similar = index.findSimilar(term.value);
  const [row] = similar?.rows ?? [];
  if (similar === undefined || row === undefined) return differing(term, undefined);
  return differing(term, placeOf(row, similar.words, similar.words.map(({ text }) => text).join(' ')));
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
