import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

const columns = {
  id: generations.id,
  templateId: generations.templateId,
  templateVersion: generations.templateVersion,
  format: generations.format,
  filename: generations.filename,
  pdfOptions: generations.pdfOptions,
  renderOptions: generations.renderOptions,
  dataChecksum: generations.dataChecksum,
  inputKey: batches.inputKey,
  dataOffset: batchRows.dataOffset,
  dataBytes: batchRows.dataBytes,
};

/** The request for a document. The last three fields are null unless it is a row of a batch. */
export type RequestRecord = Readonly<
  {
    [K in Exclude<keyof typeof columns, 'inputKey' | 'dataOffset' | 'dataBytes'>]: (typeof generations.$inferSelect)[K];
  } & {
    inputKey: string | null;
    dataOffset: number | null;
    dataBytes: number | null;
  }
>;

/** Throws `not_found` if the account has no such document. */
export async function findRequest(db: Executor, accountId: string, id: string): Promise<RequestRecord> {
  const [row] = await run(
    db,
    db
      .select(columns)
      .from(generations)
      .leftJoin(batchRows, eq(batchRows.documentId, generations.id))
      .leftJoin(batches, eq(batches.id, batchRows.batchId))
      .where(and(eq(generations.id, id), eq(generations.accountId, accountId))),
  );
  if (row === undefined) throw new AppError('not_found', 'There is no job with this id');
  return row;
}
