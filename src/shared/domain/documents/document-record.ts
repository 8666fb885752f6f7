import {
  type DocumentConformance,
  type DocumentEngine,
  type DocumentInclude,
  type DocumentTimings,
  type DocumentWarning,
  type documentStatuses,
  type EmailRequest,
  generations,
} from '../../db/schema/documents.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { traceOf } from './trace-of.ts';

export type {
  DocumentConformance,
  DocumentEngine,
  DocumentFonts,
  DocumentInclude,
  DocumentTimings,
  DocumentWarning,
  EmailRequest,
  UsedFont,
} from '../../db/schema/documents.ts';

import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';
export type OutputFormat = 'docx' | 'pdf' | 'xml';

export type DocumentQueue = 'docx' | 'pdf';

/** The queue of a format. XML is made by the workers that make .docx, because neither needs LibreOffice. */
export const queueOf = (format: OutputFormat): DocumentQueue => (format === 'pdf' ? 'pdf' : 'docx');

export type DocumentStatus = (typeof documentStatuses)[number];

/** Where the file of a finished document is stored. */
export interface ResultLocation {
  readonly store: 'redis' | 'object';
  readonly key: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
}

/** A document's row as the API reads it. */
export interface DocumentRecord {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  /** The templates that its template includes, sorted by reference. */
  readonly includes: readonly DocumentInclude[];
  readonly status: DocumentStatus;
  readonly format: OutputFormat;
  readonly filename: string;
  /** Requested with a test key. */
  readonly isTest: boolean;
  readonly deliveryId: string | undefined;
  /** The addresses of the request's e-mail; none once the document is no longer kept. */
  readonly recipients: readonly string[];
  /** The trace of the originating request; for a row, that of its batch. */
  readonly trace: RequestTrace | undefined;
  readonly error: ErrorRecord | undefined;
  readonly warnings: readonly DocumentWarning[];
  /** Undefined if the request asked for no standard. */
  readonly conformance: DocumentConformance | undefined;
  readonly timings: DocumentTimings | undefined;
  readonly result: ResultLocation | undefined;
  readonly pages: number | undefined;
  /** The engine that laid out the pages; PDFs only. */
  readonly engine: DocumentEngine | undefined;
  readonly acceptedAt: Date;
  readonly startedAt: Date | undefined;
  readonly finishedAt: Date | undefined;
  /** When the stored file is deleted. */
  readonly expiresAt: Date | undefined;
}

/** `next` is the cursor of the next page, undefined on the last. */
export type DocumentPage = {
  readonly documents: readonly DocumentRecord[];
  readonly next: string | undefined;
};

/** The data a worker needs to produce a document. */
export interface ClaimedDocument {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly templateObjectKey: string;
  readonly templateChecksum: string;
  readonly templateSyntax: TemplateSyntax;
  /** The templates that its template includes, sorted by reference. */
  readonly includes: readonly DocumentInclude[];
  readonly format: OutputFormat;
  readonly filename: string;
  readonly pdfOptions: PdfOptions | undefined;
  readonly renderOptions: RequestedRenderOptions | undefined;
  readonly email: EmailRequest | undefined;
  readonly isKept: boolean;
  /** Requested with a test key. */
  readonly isTest: boolean;
  readonly dataChecksum: string;
  readonly documentDate: Date;
  readonly keyId: string | undefined;
  readonly batchId: string | undefined;
  /** The trace of the originating request; for a row, that of its batch. */
  readonly trace: RequestTrace | undefined;
  readonly attempts: number;
  readonly attemptToken: string;
  /** Milliseconds between acceptance and this claim, by the database's clock. */
  readonly queueMs: number;
  /** True if, at the time of the claim, the account had a webhook or the request a callback URL. */
  readonly emitsEvents: boolean;
  /** Whether the file is sent by e-mail. */
  readonly isMailed: boolean;
  /** The remaining suspension of the template; undefined if none of its documents has failed since the last success. */
  readonly templateSuspendedMs: number | undefined;
  /** The account's dictionary when the document was accepted. */
  readonly dictionaryId: string | undefined;
  /** The account's fonts, for a PDF: the current ones, and those deleted after the document was accepted. */
  readonly accountFonts: readonly ClaimedFont[];
  /** What is known about direct layout of the template's PDFs. */
  readonly layoutProofs: readonly ClaimedProofState[];
  /** The invoice mapping of the template's version, for a document with an invoice; undefined if there is none. */
  readonly invoiceMap: string | undefined;
  /** Time of the claim on this process's `performance.now` clock. */
  readonly claimedAtMs: number;
}

/** The state of direct layout for one set of engines and fonts. */
export interface ClaimedProofState {
  readonly layoutKey: string;
  readonly state: 'waiting' | 'direct' | 'office';
  /** The number of interactive documents that were compared. */
  readonly checked: number;
  /** The first reason why the state is `office`. */
  readonly reason: string | null;
}

/** A font of the account. Its object holds the font in the form that conversions use. */
export interface ClaimedFont {
  readonly id: string;
  readonly familyNames: readonly string[];
  readonly fullName: string;
  readonly style: 'regular' | 'bold' | 'italic' | 'boldItalic';
  readonly objectKey: string;
  /** SHA-256 of the object, hex. */
  readonly checksum: string;
  /** SHA-256 of the uploaded file, hex. */
  readonly uploadedChecksum: string;
  readonly sizeBytes: number;
}

/** The selected columns of a `GenerationRecord`. */
export const documentColumns = {
  id: generations.id,
  accountId: generations.accountId,
  templateId: generations.templateId,
  templateVersion: generations.templateVersion,
  includes: generations.includes,
  status: generations.status,
  format: generations.format,
  filename: generations.filename,
  isTest: generations.isTest,
  email: generations.email,
  trace: traceOf(generations),
  error: generations.error,
  warnings: generations.warnings,
  conformance: generations.conformance,
  timings: generations.timings,
  resultStore: generations.resultStore,
  resultKey: generations.resultKey,
  resultBytes: generations.resultBytes,
  resultChecksum: generations.resultChecksum,
  pages: generations.pages,
  engine: generations.engine,
  acceptedAt: generations.acceptedAt,
  startedAt: generations.startedAt,
  finishedAt: generations.finishedAt,
  expiresAt: generations.expiresAt,
};

type Row = { readonly [K in keyof typeof documentColumns]: (typeof generations.$inferSelect)[K] };

export function toDocumentRecord({
  email,
  resultStore,
  resultKey,
  resultBytes,
  resultChecksum,
  ...row
}: Row): DocumentRecord {
  return {
    ...row,
    includes: row.includes ?? [],
    deliveryId: email?.deliveryId,
    recipients: email === null ? [] : [...email.to, ...email.cc, ...email.bcc],
    trace: row.trace ?? undefined,
    error: row.error ?? undefined,
    warnings: row.warnings ?? [],
    conformance: row.conformance ?? undefined,
    timings: row.timings ?? undefined,
    result: toResult({ resultStore, resultKey, resultBytes, resultChecksum }),
    pages: row.pages ?? undefined,
    engine: row.engine ?? undefined,
    startedAt: row.startedAt ?? undefined,
    finishedAt: row.finishedAt ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
  };
}

export function toResult(
  row: Pick<Row, 'resultStore' | 'resultKey' | 'resultBytes' | 'resultChecksum'>,
): ResultLocation | undefined {
  if (row.resultStore === null || row.resultKey === null) return undefined;
  return {
    store: row.resultStore,
    key: row.resultKey,
    sizeBytes: row.resultBytes ?? 0,
    checksum: row.resultChecksum ?? '',
  };
}
