import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

const columns = {
  id: generations.id,
  status: generations.status,
  templateId: generations.templateId,
  templateVersion: generations.templateVersion,
  templateChecksum: generations.templateChecksum,
  includes: generations.includes,
  approval: generations.approval,
  format: generations.format,
  filename: generations.filename,
  isTest: generations.isTest,
  pdfOptions: generations.pdfOptions,
  renderOptions: generations.renderOptions,
  dataChecksum: generations.dataChecksum,
  documentDate: generations.documentDate,
  engine: generations.engine,
  service: generations.service,
  warnings: generations.warnings,
  resultBytes: generations.resultBytes,
  resultChecksum: generations.resultChecksum,
  pages: generations.pages,
  acceptedAt: generations.acceptedAt,
  finishedAt: generations.finishedAt,
};

/** What a document's row records about its production. It outlives the data and the file. */
export type ReceiptRecord = { readonly [K in keyof typeof columns]: (typeof generations.$inferSelect)[K] };

/** Throws `not_found` if the account has no such document, `conflict` while it is unfinished. */
export async function findReceipt(db: Executor, accountId: string, id: string): Promise<ReceiptRecord> {
  const [row] = await run(
    db,
    db
      .select(columns)
      .from(generations)
      .where(and(eq(generations.id, id), eq(generations.accountId, accountId))),
  );
  if (row === undefined) throw new AppError('not_found', 'There is no job with this id');
  if (row.status === 'succeeded') return row;
  if (row.status === 'failed' || row.status === 'cancelled') {
    throw new AppError(
      'not_found',
      `The job has ${row.status === 'failed' ? 'failed' : 'been cancelled'}; there is no receipt`,
    );
  }
  throw new AppError('conflict', `The job is ${row.status}; its receipt does not exist yet`, { retryAfterSeconds: 1 });
}
