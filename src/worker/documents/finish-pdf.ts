import type {
  ClaimedDocument,
  DocumentEngine,
  DocumentWarning,
} from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { type ConformanceReport, requestedStandards, type StandardReport } from '../pdf/conformance/standards.ts';
import type { ConvertResult } from '../pdf/office/office-pool.ts';
import { protectPdf } from '../pdf/protect/protect-pdf.ts';
import { isProtected } from '../pdf/protect/protection.ts';
import { type WatermarkWord, watermarkPdf } from '../pdf/watermark/watermark-pdf.ts';
import { attachAll, joinFiles } from './add-files.ts';
import type { HybridInvoice } from './document-invoice.ts';
import type { FilledDocument, PrintedDocument } from './fill-template.ts';
import type { LoadedFiles } from './load-files.ts';
import type { ProducedDocument } from './produced-document.ts';

export interface UnfinishedPdf {
  readonly document: PrintedDocument;
  readonly filled: FilledDocument;
  readonly laidOut: Pick<ConvertResult, 'pdf' | 'pages' | 'warnings' | 'convertMs'> & {
    readonly engine: DocumentEngine;
  };
  readonly watermark: WatermarkWord | undefined;
  /** Undefined for a preview. */
  readonly files?: LoadedFiles | undefined;
  /** The electronic invoice to embed. */
  readonly invoice?: HybridInvoice | undefined;
}

/** A PDF with all of its pages counted. */
export interface FinishedPdf extends ProducedDocument {
  readonly pages: number;
}

/** Applies the watermark, the files of the request, its invoice and the protection of a PDF, and checks its conformance. Throws `AppError`. */
export async function finishPdf(
  deps: WorkerDeps,
  job: JobRun,
  { document, filled, laidOut, watermark, files, invoice }: UnfinishedPdf,
): Promise<FinishedPdf> {
  const { pdf, convertMs } = laidOut;
  const installed = await deps.fonts?.digest();
  const fonts = installed === undefined ? undefined : { installed, account: filled.used };
  const engine = { ...laidOut.engine, fonts };
  const marked = watermark === undefined ? pdf : watermarkPdf(pdf, laidOut.pages, watermark);
  const unextended = { pdf: marked, pages: laidOut.pages };
  const joined = await joinFiles(deps, job, unextended, files);
  const extended = attachAll(joined, { files, invoice, date: document.documentDate });
  const { pages } = extended;
  const bytes = await protect(deps, job, document, extended.pdf);
  const checked = await job.stages.time('check', () => checkConformance(deps, job, document, bytes));
  const warnings = [...filled.warnings, ...laidOut.warnings, ...extended.warnings, ...checked.warnings];
  const { conformance } = checked;
  return { bytes, pages, engine, warnings, conformance, renderMs: filled.renderMs, convertMs };
}

/**
 * Encrypts the PDF with the requested password and permissions. Later steps cannot change the file, and need its
 * password to read it.
 */
async function protect(
  deps: WorkerDeps,
  job: JobRun,
  { pdfOptions }: PrintedDocument,
  pdf: Uint8Array,
): Promise<Uint8Array> {
  const protection = pdfOptions ?? {};
  if (!isProtected(protection)) return pdf;
  const timeoutMs = deps.config.CONVERT_TIMEOUT_MS;
  return job.stages.time('protect', () => protectPdf(pdf, protection, { timeoutMs }));
}

interface CheckedConformance {
  /** Undefined when the request asked for no standard. */
  readonly conformance: ConformanceReport | undefined;
  readonly warnings: readonly DocumentWarning[];
}

const maxNamed = 3;

/**
 * Checks the PDF against the standards that the request asked for. Failures become warnings or, with `onNonconformance`
 * "error", an error that lists them.
 */
async function checkConformance(
  deps: WorkerDeps,
  job: JobRun,
  document: Pick<ClaimedDocument, 'accountId' | 'pdfOptions'>,
  pdf: Uint8Array,
): Promise<CheckedConformance> {
  const options = document.pdfOptions ?? {};
  const standards = requestedStandards(options);
  if (standards.length === 0) return { conformance: undefined, warnings: [] };
  const { accountId: account } = document;
  const { password } = options;
  const request = { account, addWorkMs: job.addWorkMs, pdf, standards, password };
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
