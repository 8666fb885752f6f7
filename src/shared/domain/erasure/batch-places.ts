import { and, asc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { run } from '../../db/statement.ts';

const batchesAtOnce = 200;
const rowsAtOnce = 1_000;

export interface StoredInput {
  readonly id: string;
  readonly inputKey: string;
}

/** The batches whose input is still stored, of one account or of all, in pages by id. */
export async function* listStoredInputs(db: Executor, accountId: string | undefined): AsyncGenerator<StoredInput> {
  const { id, inputKey, finishedAt, expiresAt } = batches;
  for (let after = ''; ; ) {
    const page = await run(
      db,
      db
        .select({ id, inputKey })
        .from(batches)
        .where(
          and(
            gt(id, after),
            accountId === undefined ? undefined : eq(batches.accountId, accountId),
            or(isNull(finishedAt), isNotNull(expiresAt)),
          ),
        )
        .orderBy(asc(id))
        .limit(batchesAtOnce),
    );
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < batchesAtOnce) return;
    after = last.id;
  }
}

export interface RowPlace {
  readonly row: number;
  readonly documentId: string;
  readonly offset: number;
  readonly bytes: number;
}

/** The positions of a batch's rows in its input, in order. */
export async function* listPlaces(db: Executor, batchId: string): AsyncGenerator<RowPlace> {
  const { row, documentId, dataOffset, dataBytes } = batchRows;
  for (let after = 0; ; ) {
    const page = await run(
      db,
      db
        .select({ row, documentId, offset: dataOffset, bytes: dataBytes })
        .from(batchRows)
        .where(and(eq(batchRows.batchId, batchId), gt(row, after)))
        .orderBy(asc(row))
        .limit(rowsAtOnce),
    );
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return;
    after = last.row;
  }
}
