import type { PrintedInvoice, PrintedTerm } from '@docmill/einvoice';
import { type Place, placeOf } from './difference.ts';
import { earlyPayment, labels } from './labels.ts';
import type { MatchedLine } from './match-lines.ts';
import { meansCurrency } from './printed-currency.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import type { Row, TextIndex } from './rows.ts';

export interface Comparison {
  readonly invoice: PrintedInvoice;
  readonly rows: readonly Row[];
  readonly index: TextIndex;
  readonly lines: readonly MatchedLine[];
  /** The rows outside of lines. */
  readonly free: readonly Row[];
  /** Whether the lines have one rate. */
  readonly isOneRate: boolean;
  /** Whether any line shows its rate. Pages without such a column say nothing about the rates of lines. */
  readonly showsRates: boolean;
  /** Whether whole amounts are printed with zeros, such as `100,00`, so that a bare number is no amount. */
  readonly hasFixedDecimals: boolean;
  /** All amounts of the invoice, unsigned. */
  readonly known: ReadonlySet<string>;
}

export const hasAny = ({ text }: Row, words: readonly string[]): boolean => words.some((word) => text.includes(word));

/** Whether a row is about a discount for early payment, or a percentage that is explained in the next row. */
export function isEarlyPayment(row: Row, rows: readonly Row[]): boolean {
  if (hasAny(row, earlyPayment)) return true;
  const next = rows[row.order + 1];
  const isContinued = next !== undefined && next.page === row.page && hasAny(next, earlyPayment);
  return isContinued && row.numbers.some(({ isPercent }) => isPercent) && !row.numbers.some(isMoney);
}

/** Where a label of the term ends in the text of a row; undefined if it has none. */
export const endOfLabel = (row: Row, term: string): number | undefined => endOfAny(row, labels[term] ?? []);

export function endOfAny({ text, starts }: Row, words: readonly string[]): number | undefined {
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (starts[at] === true && (end === text.length || starts[end] === true)) return end;
    }
  }
  return undefined;
}

export function amountIn(rows: readonly Row[], term?: string): Place | undefined {
  for (const row of rows) {
    const token = (term === undefined ? row.numbers.filter(isMoney) : labelledAmounts(row, term)).at(-1);
    if (token !== undefined) return placeOf(row, token.words, token.text);
  }
  return undefined;
}

/** The amounts in a row with a label of the term: those with cents or a currency, or the number right after the label. */
export function labelledAmounts(row: Row, term: string): readonly NumberToken[] {
  const money = row.numbers.filter(isMoney);
  const end = endOfLabel(row, term);
  if (money.length > 0 || end === undefined) return money;
  const rest = row.text.slice(end);
  return row.numbers.filter(({ text, isPercent }) => !isPercent && text.replaceAll(/\D/g, '') === rest);
}

export const isMoney = ({ isPercent, hasDecimals, currency }: NumberToken): boolean =>
  !isPercent && (hasDecimals || currency !== undefined);

/** Pages subtract allowances and payments, and print credit notes with either sign. */
const unsigned = new Set(['BT-92', 'BT-99', 'BT-107', 'BT-108', 'BT-113']);

/** Whether a number may be the amount of the term, wherever it stands. */
export function isAmount(comparison: Comparison, row: Row, token: NumberToken, term: PrintedTerm): boolean {
  if (!isMoney(token) && (comparison.hasFixedDecimals || isInDate(row, token))) return false;
  return isEqual(comparison, token, term);
}

const isInDate = ({ dates }: Row, token: NumberToken): boolean =>
  dates.some(({ words }) => token.words.some((word) => words.includes(word)));

/** Whether a number is the amount of the term. */
export function isEqual({ invoice }: Comparison, token: NumberToken, term: PrintedTerm): boolean {
  if (token.isPercent || isOtherCurrency(token, invoice)) return false;
  if (unsigned.has(term.term) || invoice.isCreditNote) return hasSize(token, term);
  return token.value === canonical(term.value);
}

export const isOtherCurrency = (token: NumberToken, { currency }: PrintedInvoice): boolean =>
  token.currency !== undefined && currency !== undefined && !meansCurrency(token.currency, currency.value);

export const hasSize = (token: NumberToken, term: PrintedTerm): boolean =>
  token.value.replace('-', '') === canonical(term.value).replace('-', '');
