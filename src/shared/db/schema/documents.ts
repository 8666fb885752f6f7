import { sql } from 'drizzle-orm';
import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { ErrorRecord } from '../../errors.ts';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { EmailAttachment } from '../../request-files.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { accountId } from './accounts.ts';
import { indexedStatus, time } from './columns.ts';
import type { Approval } from './templates.ts';

export interface EmailRequest {
  readonly deliveryId: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string | null;
  readonly body: string | null;
  /** The body is stored once, with the batch, because up to 100,000 rows share it. */
  readonly isBodyOfBatch?: boolean | undefined;
  readonly attachments?: readonly EmailAttachment[] | undefined;
}

export interface DocumentWarning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
  readonly context?: string | undefined;
  readonly font?: string | undefined;
  readonly characters?: readonly { readonly character: string; readonly codePoint: string }[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly count?: number | undefined;
}

/** The result of checking a PDF against the standards that its request asked for. */
export interface DocumentConformance {
  readonly passed: boolean;
  readonly standards: readonly {
    readonly standard: string;
    readonly passed: boolean;
    /** Number of rules that were checked. */
    readonly checked: number;
    readonly failures: readonly {
      readonly rule: string;
      readonly clause: string;
      readonly message: string;
      readonly place?: string | undefined;
      readonly count: number;
    }[];
  }[];
}

export interface DocumentTimings {
  readonly queueMs: number;
  readonly renderMs: number;
  readonly convertMs: number;
  readonly totalMs: number;
}

/** The program that laid out the pages of a PDF, and the version that it reported. */
export interface DocumentEngine {
  readonly name: string;
  readonly version: string;
  /** Undefined if fonts cannot be listed. */
  readonly fonts?: DocumentFonts | undefined;
  /** Why LibreOffice laid out the pages. Undefined if direct layout was not considered, or is turned off. */
  readonly reasons?: readonly string[] | undefined;
}

/** A font of the account; SHA-256 of the uploaded file, hex. */
export interface UsedFont {
  readonly name: string;
  readonly sha256: string;
  /** Differs for each upload, even of the same file, because PDFs embed a name that depends on it. */
  readonly upload: string;
}

/** The fonts with which a PDF was produced. */
export interface DocumentFonts {
  /** SHA-256 of the installed fonts, hex. */
  readonly installed: string;
  readonly account: readonly UsedFont[];
}

/** A template that the document's template includes, in the version that was current when the request was accepted. */
export interface DocumentInclude {
  /** The name or id in the tag. */
  readonly reference: string;
  readonly templateId: string;
  readonly version: number;
  readonly objectKey: string;
  /** SHA-256, hex. */
  readonly checksum: string;
  /** Who made the version live; absent if it needed no approval. */
  readonly approval?: Approval | undefined;
}

/** The release of this service and of Node.js that produced a file. */
export interface DocumentService {
  readonly version: string;
  readonly node: string;
}

export const documentStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export const generations = pgTable(
  'generations',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    templateObjectKey: text('template_object_key').notNull(),
    templateChecksum: text('template_checksum').notNull(),
    /** Null for a template that includes no others. */
    includes: jsonb('includes').$type<readonly DocumentInclude[]>(),
    /** Who made the template's version live; null if it needed no approval, or is a draft of a test key. */
    approval: jsonb('approval').$type<Approval>(),
    format: text('format', { enum: ['docx', 'pdf', 'xml'] }).notNull(),
    filename: text('filename').notNull(),
    pdfOptions: jsonb('pdf_options').$type<PdfOptions>(),
    renderOptions: jsonb('render_options').$type<RequestedRenderOptions>(),
    email: jsonb('email').$type<EmailRequest>(),
    callbackUrl: text('callback_url'),
    /** The batch this is a row of. The dispatcher enqueues such rows; the sweep ignores them. */
    batchId: text('batch_id'),
    /** The key of the request, and the month of its budget that was charged; null without a budget. */
    apiKeyId: text('api_key_id'),
    /** Requested with a test key: free, with a watermark, and without entries in the ledger. */
    isTest: boolean('is_test').notNull().default(false),
    budgetMonth: date('budget_month'),
    /** The originating request; null for rows of a batch, which stores it. */
    trace: jsonb('trace').$type<RequestTrace>(),
    isKept: boolean('is_kept').notNull().default(false),
    status: text('status', { enum: documentStatuses }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    attemptToken: text('attempt_token'),
    dataChecksum: text('data_checksum').notNull(),
    /**
     * The date shown by date fields and file properties: `output.documentDate`, or when the template version was
     * uploaded.
     */
    documentDate: time('document_date'),
    /** The release that produced the file. */
    service: jsonb('service').$type<DocumentService>(),
    error: jsonb('error').$type<ErrorRecord>(),
    warnings: jsonb('warnings').$type<readonly DocumentWarning[]>(),
    timings: jsonb('timings').$type<DocumentTimings>(),
    conformance: jsonb('conformance').$type<DocumentConformance>(),
    engine: jsonb('engine').$type<DocumentEngine>(),
    resultKey: text('result_key'),
    resultStore: text('result_store', { enum: ['redis', 'object'] }),
    resultBytes: integer('result_bytes'),
    resultChecksum: text('result_checksum'),
    pages: integer('pages'),
    acceptedAt: time('accepted_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    refundedAt: time('refunded_at'),
    expiresAt: time('expires_at'),
    /** When the operator erased its data. Ids, digests, counts and times remain. */
    erasedAt: time('erased_at'),
  },
  (table) => [
    index('generations_account').on(table.accountId, indexedStatus(table.status), table.id.desc()),
    index('generations_unfinished')
      .on(table.format, table.status, table.acceptedAt, table.id)
      .where(sql`${table.status} in ('queued', 'running') and ${table.batchId} is null`),
    index('generations_including')
      .on(table.accountId)
      .where(sql`${table.includes} is not null and ${table.status} in ('queued', 'running')`),
    index('generations_expiring').on(table.expiresAt, table.id).where(sql`${table.resultStore} = 'object'`),
    index('generations_template').on(table.templateId, indexedStatus(table.status), table.id.desc()),
    index('generations_batch').on(table.batchId, table.status).where(sql`${table.batchId} is not null`),
  ],
);

/**
 * Documents that crashed or hung a LibreOffice slot, by a fingerprint of their inputs. Two failures quarantine a
 * document.
 */
export const conversionFailures = pgTable(
  'conversion_failures',
  {
    fingerprint: text('fingerprint').primaryKey(),
    accountId: accountId(),
    failures: integer('failures').notNull(),
    documentId: text('generation_id').notNull(),
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    reason: text('reason').notNull(),
    evidenceKey: text('evidence_key'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('conversion_failures_updated').on(table.updatedAt),
    index('conversion_failures_template').on(table.templateId),
    index('conversion_failures_evidence').on(table.evidenceKey),
  ],
);

/**
 * Templates whose documents crashed or hung an engine, regardless of their data. Several failures without a success in
 * between suspend a template for a while.
 */
export const templateFailures = pgTable(
  'template_failures',
  {
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    accountId: accountId(),
    documentId: text('generation_id').notNull(),
    reason: text('reason').notNull(),
    failures: integer('failures').notNull(),
    suspensions: integer('suspensions').notNull(),
    suspendedUntil: time('suspended_until'),
    windowStartedAt: time('window_started_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.templateVersion] }),
    index('template_failures_updated').on(table.updatedAt),
  ],
);
