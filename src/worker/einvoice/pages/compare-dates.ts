import type { PrintedInvoice, PrintedTerm } from '@docmill/einvoice';
import { endOfLabel, isEarlyPayment } from './comparison.ts';
import { differing, type InvoiceDifference, placeOf } from './difference.ts';
import type { DateToken } from './printed-date.ts';
import type { Row } from './rows.ts';

export function compareDate(
  invoice: PrintedInvoice,
  rows: readonly Row[],
  term: PrintedTerm,
): readonly InvoiceDifference[] {
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

/** The first date to the right of a label of the term. */
function labelledDate(row: Row, term: string): DateToken | undefined {
  const end = endOfLabel(row, term);
  if (end === undefined) return undefined;
  const right = row.words[row.wordAt[end - 1] ?? -1]?.right ?? 0;
  return row.dates
    .filter(({ words }) => (words[0]?.left ?? 0) >= right)
    .toSorted((a, b) => (a.words[0]?.left ?? 0) - (b.words[0]?.left ?? 0))[0];
}
