import type { ClaimedDocument, DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { InvoiceOptions } from '../../shared/invoice-options.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { describeDifference } from '../einvoice/describe-difference.ts';
import type { PagesComparison } from '../einvoice/pages/compare-pages.ts';
import type { JobRun } from '../job-run.ts';

const maxWarnings = 20;
const path = 'output.pdf.invoice';

/**
 * Compares the pages of a document with its invoice. Throws `invoice_differs` with the differences, or returns them as
 * warnings if the request says so.
 */
export async function compareInvoice(
  deps: WorkerDeps,
  job: JobRun,
  { accountId: account, renderOptions }: ClaimedDocument,
  { xml, pdf, options }: { readonly xml: Uint8Array; readonly pdf: Uint8Array; readonly options: InvoiceOptions },
): Promise<readonly DocumentWarning[]> {
  const pages = { xml, pdf, locale: renderOptions?.locale };
  const isWarning = options.onDifference === 'warn';
  const owner = { account, addWorkMs: job.addWorkMs };
  const compared = job.stages.time('invoice', () => required(deps.docx, 'docx').compareInvoice(pages, owner));
  const { differences, hasMore, problem } = await compared.catch((error: unknown): PagesComparison => {
    if (!isWarning || !(error instanceof AppError) || error.code !== 'render_limit') throw error;
    return { differences: undefined, hasMore: false, problem: error.message, isSpent: false };
  });
  if (differences === undefined) {
    const message = `The invoice could not be compared with the pages: ${problem ?? 'they cannot be read'}`;
    if (isWarning) return [{ code: 'invoice_differs', message }];
    const hint = 'send output.pdf.invoice.onDifference "warn" to get the PDF all the same';
    throw new AppError('invoice_differs', message, { details: [{ type: 'Field', path, message, hint }] });
  }
  const details = differences.map(describeDifference);
  const [first] = details;
  if (first === undefined) return [];
  if (isWarning) return details.slice(0, maxWarnings).map(({ message }) => ({ code: 'invoice_differs', message }));
  const others = details.length - 1;
  const more =
    others === 0
      ? ''
      : others === 1
        ? ' There is one more difference.'
        : ` There are ${hasMore ? 'more than ' : ''}${others} more differences.`;
  throw new AppError('invoice_differs', `The pages differ from the invoice. ${first.message}${more}`, { details });
}
