import type { PrintedInvoice, PrintedTerm } from '@docmill/einvoice';
import {
  amountIn,
  type Comparison,
  endOfAny,
  endOfLabel,
  hasAny,
  isAmount,
  isEarlyPayment,
  isEqual,
  isMoney,
  isOtherCurrency,
  labelledAmounts,
} from './comparison.ts';
import { differing, type InvoiceDifference } from './difference.ts';
import { looseLabels, partialSums } from './labels.ts';
import { isCurrency, meansCurrency } from './printed-currency.ts';
import { canonical, type NumberToken } from './printed-number.ts';
import type { Row } from './rows.ts';

/** Of the lines, the allowances, the charges, and the VAT of all rates. */
const sums = new Set(['BT-106', 'BT-107', 'BT-108', 'BT-110']);

export function compareTotal(comparison: Comparison, term: PrintedTerm): readonly InvoiceDifference[] {
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
