import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { isAnyIdOf, isAnyOf, isOneOf } from '../../db/column-names.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { PdfOptions, RequestedRenderOptions } from '../../output-options.ts';
import type { OutputFormat } from '../documents/document-record.ts';
import { cancelDocument } from '../documents/fail-document.ts';

/** The data of a document that an erasure must find outside the database. */
export interface ErasedDocument {
  readonly id: string;
  readonly accountId: string;
  readonly format: OutputFormat;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly dataChecksum: string;
  readonly pdfOptions: PdfOptions | null;
  readonly renderOptions: RequestedRenderOptions | null;
  readonly status: string;
  readonly batchId: string | null;
  /** When the batch row was last dispatched. */
  readonly dispatchedAt: Date | null;
}

/** The documents with these ids; missing ones are omitted. */
export function findErased(db: Executor, ids: readonly string[]): Promise<readonly ErasedDocument[]> {
  const g = generations;
  return run(
    db,
    db
      .select({
        id: g.id,
        accountId: g.accountId,
        format: g.format,
        templateId: g.templateId,
        templateVersion: g.templateVersion,
        dataChecksum: g.dataChecksum,
        pdfOptions: g.pdfOptions,
        renderOptions: g.renderOptions,
        status: g.status,
        batchId: g.batchId,
        dispatchedAt: batchRows.dispatchedAt,
      })
      .from(g)
      .leftJoin(batchRows, eq(batchRows.documentId, g.id))
      .where(isAnyIdOf(g.id, ids)),
  );
}

/**
 * Cancels the unfinished documents among these, releases their reservations, and ends e-mails that are not being
 * transmitted. A worker that holds one cannot complete it. Safe to repeat.
 */
export async function stopDocuments(db: Database, documents: readonly ErasedDocument[]): Promise<void> {
  for (const { id, accountId, status } of documents)
    if (status === 'queued' || status === 'running') await cancelDocument(db, accountId, id);
  // failpoint: erasure-cancelled
  const ids = documents.map(({ id }) => id);
  await run(
    db,
    db
      .update(deliveries)
      .set({
        status: sql`case when ${hasRecipient('unknown')} then 'unknown' when ${hasRecipient('sent')} then 'partial' else 'failed' end`,
        recipients: sql`(select jsonb_agg(case when r ->> 'status' in ('pending', 'deferred') then r || '{"status": "failed"}' else r end order by position)
          from jsonb_array_elements(${deliveries.recipients}) with ordinality as of_delivery (r, position))`,
        attemptToken: null,
        lockedUntil: null,
        lastReply: 'the document was erased',
        finishedAt: sql`now()`,
      })
      .where(and(isAnyOf(deliveries.documentId, ids), isOneOf(deliveries.status, 'pending', 'sending'))),
  );
}

const hasRecipient = (status: 'unknown' | 'sent'): SQL =>
  sql`${deliveries.recipients} @> ${sql.raw(`'[{"status": "${status}"}]'`)}`;

/** True while a message of these documents is being completed, or their batch writes its files. */
export async function isCompleting(db: Executor, ids: readonly string[]): Promise<boolean> {
  const [message] = await run(
    db,
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(isAnyOf(deliveries.documentId, ids), isOneOf(deliveries.status, 'transmitting')))
      .limit(1),
  );
  const [batch] = await run(
    db,
    db
      .select({ id: batches.id })
      .from(generations)
      .innerJoin(batches, eq(batches.id, generations.batchId))
      .where(and(isAnyIdOf(generations.id, ids), isOneOf(batches.status, 'bundling')))
      .limit(1),
  );
  return message !== undefined || batch !== undefined;
}

export interface BatchPart {
  readonly batchId: string;
  readonly inputKey: string;
  readonly fileKeys: readonly string[];
  /** The rows to erase, and those erased before. */
  readonly rows: readonly { readonly row: number; readonly offset: number; readonly bytes: number }[];
}

/** The batches of these documents, with the positions of their data. */
export async function findBatchParts(db: Executor, ids: readonly string[]): Promise<readonly BatchPart[]> {
  const owners = await run(
    db,
    db.selectDistinct({ batchId: batchRows.batchId }).from(batchRows).where(isAnyOf(batchRows.documentId, ids)),
  );
  const parts: BatchPart[] = [];
  for (const { batchId } of owners) {
    const [batch] = await run(
      db,
      db.select({ inputKey: batches.inputKey, files: batches.files }).from(batches).where(eq(batches.id, batchId)),
    );
    if (batch === undefined) continue;
    const rows = await run(
      db,
      db
        .select({ row: batchRows.row, offset: batchRows.dataOffset, bytes: batchRows.dataBytes })
        .from(batchRows)
        .innerJoin(generations, eq(generations.id, batchRows.documentId))
        .where(
          and(
            eq(batchRows.batchId, batchId),
            or(inArray(batchRows.documentId, [...ids]), isNotNull(generations.erasedAt)),
          ),
        )
        .orderBy(batchRows.row),
    );
    const fileKeys = (batch.files ?? []).map(({ objectKey }) => objectKey);
    parts.push({ batchId, inputKey: batch.inputKey, fileKeys, rows });
  }
  return parts;
}

/** Clears the references to a batch's files after the files were removed. */
export async function forgetFiles(db: Executor, batchId: string): Promise<void> {
  await run(
    db,
    db
      .update(batches)
      .set({ files: null })
      .where(and(eq(batches.id, batchId), isNotNull(batches.files))),
  );
}

/** Throws `not_found` for a document that does not exist, or belongs to another account than the given one. */
export async function requireErasable(db: Executor, documentId: string, accountId: string | undefined): Promise<void> {
  const [document] = await findErased(db, [documentId]);
  if (document === undefined || (accountId !== undefined && document.accountId !== accountId))
    throw new AppError(
      'not_found',
      `There is no document ${documentId}${accountId === undefined ? '' : ' of this account'}`,
    );
}
