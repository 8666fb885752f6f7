import type { ErrorDetail } from '../../shared/errors.ts';
import type { InvoiceDifference } from './pages/difference.ts';

export type DifferenceDetail = Extract<ErrorDetail, { type: 'Difference' }>;

/** A difference as clients see it. */
export function describeDifference(difference: InvoiceDifference): DifferenceDetail {
  const { term, line, expected, found, page, box } = difference;
  return {
    type: 'Difference',
    message: toSentence(difference),
    businessTerms: [term],
    ...(line !== undefined && { invoiceLine: line }),
    expected,
    ...(found !== undefined && { found }),
    ...(page !== undefined && { page }),
    ...(box !== undefined && { box }),
  };
}

function toSentence({ term, name, line, expected, found, page }: InvoiceDifference): string {
  const about = `${name} (${term}${line === undefined ? '' : `, line ${line}`})`;
  if (found !== undefined) return `${about} is "${expected}" in the invoice, but page ${page ?? 1} shows "${found}".`;
  const where = page === undefined ? 'the pages do not show it' : `page ${page} does not show it in its place`;
  return `${about} is "${expected}" in the invoice, but ${where}.`;
}
