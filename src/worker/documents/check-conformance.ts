import type { ClaimedDocument, DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { type ConformanceReport, requestedStandards, type StandardReport } from '../pdf/conformance/standards.ts';

export interface CheckedConformance {
  /** Undefined when the request asked for no standard. */
  readonly conformance: ConformanceReport | undefined;
  readonly warnings: readonly DocumentWarning[];
}

const maxNamed = 3;

/**
 * Checks the PDF against the standards that the request asked for. Failures become warnings or, with `onNonconformance`
 * "error", an error that lists them.
 */
export async function checkConformance(
  deps: WorkerDeps,
  document: Pick<ClaimedDocument, 'accountId' | 'pdfOptions'>,
  pdf: Uint8Array,
): Promise<CheckedConformance> {
  const options = document.pdfOptions ?? {};
  const standards = requestedStandards(options);
  if (standards.length === 0) return { conformance: undefined, warnings: [] };
  const { accountId: account } = document;
  const { password } = options;
  const request = { account, addWorkMs: deps.addWorkMs, pdf, standards, password };
  const conformance = await required(deps.conformance, 'conformance').check(request);
  const failed = conformance.standards.filter(({ passed }) => !passed);
  if (failed.length > 0 && options.onNonconformance === 'error') throw nonconforming(failed);
  return { conformance, warnings: failed.map(toWarning) };
}

function toWarning({ standard, failures }: StandardReport): DocumentWarning {
  const named = failures
    .slice(0, maxNamed)
    .map(({ rule, place }) => (place === undefined ? rule : `${rule} (${place})`));
  const more = failures.length > maxNamed ? ` and ${failures.length - maxNamed} more` : '';
  const message = `The file does not conform to ${standard}: ${named.join(', ')}${more}. The job lists them in \`conformance\`.`;
  return { code: 'nonconformance', message };
}

function nonconforming(failed: readonly StandardReport[]): AppError {
  const names = failed.map(({ standard }) => standard).join(' and ');
  const details = failed.flatMap(({ failures }) =>
    failures.map(({ rule, clause, message, place, count }) => ({
      type: 'Message' as const,
      message: `${message} (${rule}; ${clause}${count > 1 ? `; ${count} times` : ''})`,
      ...(place !== undefined && { context: place }),
    })),
  );
  return new AppError('conversion_failed', `The PDF does not conform to ${names}.`, { details });
}
