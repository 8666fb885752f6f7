import type pg from 'pg';
import type { Database } from '../../../src/shared/db/client.ts';
import { partitionedTables, partitionOf } from '../../../src/shared/db/partitions.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { cancelDocument, failDocument, refundDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { newId } from '../../../src/shared/ids.ts';
import { claimed, documentRequest, emailTo, finishedDocument, internalError, type TestAccount } from './accounts.ts';
import { addPartition } from './partitions.ts';

export type Ending =
  | 'queued'
  | 'running'
  | 'kept'
  | 'mailed'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'refunded'
  | 'test';

export const monthName = (offset: number): string => partitionOf('generations', new Date(), offset).month;

/** Makes the partitions of a past month. */
export async function addMonth(client: pg.ClientBase, offset: number): Promise<void> {
  for (const table of Object.keys(partitionedTables) as (keyof typeof partitionedTables)[]) {
    await addPartition(client, table, offset);
  }
}

/** A document whose id and times lie in the middle of a past month. It is charged to the current allowance. */
export async function oldDocument(
  db: Database,
  { accountId, templateId }: TestAccount,
  offset: number,
  ending: Ending,
): Promise<string> {
  const atMs = partitionOf('generations', new Date(), offset).endMs - 15 * 86_400_000;
  const id = newId('doc', atMs);
  const email = { ...emailTo('a@example.com'), deliveryId: newId('dlv', atMs) };
  const isKept = ending === 'kept';
  await acceptDocument(db, accountId, {
    ...documentRequest(templateId, { format: 'pdf', isKept, email: ending === 'mailed' ? email : null }),
    id,
    isTest: ending === 'test',
  });
  if (ending === 'cancelled') await cancelDocument(db, accountId, id);
  else if (ending !== 'queued') {
    const claim = await claimed(db, id);
    if (ending === 'failed') await failDocument(db, claim, internalError);
    else if (ending !== 'running')
      await succeedDocument(db, claim, finishedDocument(claim, { pages: 3, ttlSeconds: 60 }));
    if (ending === 'refunded') await refundDocument(db, id);
  }
  await age(db, id, new Date(atMs));
  return id;
}

/** Moves the times of a document, its entries and its e-mail into the past. */
async function age(db: Database, id: string, at: Date): Promise<void> {
  const pool = db.$client;
  await pool.query(
    `update generations set accepted_at = $2, finished_at = case when finished_at is not null then $2::timestamptz end,
      refunded_at = case when refunded_at is not null then $2::timestamptz end where id = $1`,
    [id, at],
  );
  await pool.query('update ledger set created_at = $2 where generation_id = $1', [id, at]);
  await pool.query('update deliveries set created_at = $2 where generation_id = $1', [id, at]);
}
