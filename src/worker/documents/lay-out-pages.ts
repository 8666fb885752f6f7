import type { DocumentEngine } from '../../shared/domain/documents/document-record.ts';
import type { WorkerDeps } from '../deps.ts';
import { type DirectDocument, layOutDirectly, type ProvenVersion } from '../direct-pdf/direct-layout.ts';
import type { JobRun } from '../job-run.ts';
import type { ConvertResult } from '../pdf/office/office-pool.ts';
import type { ConversionHistory } from './conversion-history.ts';
import { convertDocument } from './convert-document.ts';
import type { FilledDocument, PrintedDocument } from './fill-template.ts';

export interface PagesToLayOut {
  readonly document: PrintedDocument;
  readonly filled: FilledDocument;
  /** Undefined for a template that is not stored, so that it has no proofs. */
  readonly of: ProvenVersion | undefined;
  readonly history: ConversionHistory;
}

/** Pages that LibreOffice laid out, with the reasons why it was needed. */
interface OfficeDocument extends Omit<ConvertResult, 'engine'> {
  readonly engine: DocumentEngine;
}

/**
 * Lays out the pages directly if the result is proven to equal LibreOffice's, and with LibreOffice otherwise. Throws
 * `AppError`.
 */
export async function layOutPages(
  deps: WorkerDeps,
  job: JobRun,
  { document, filled, of, history }: PagesToLayOut,
): Promise<DirectDocument | OfficeDocument> {
  const direct = of && (await layOutDirectly(deps, job, { document, filled, of }));
  if (direct?.kind === 'direct') return direct;
  const converted = await convertDocument(deps, job, { document, filled, history });
  return { ...converted, engine: { ...converted.engine, reasons: direct?.reasons } };
}
