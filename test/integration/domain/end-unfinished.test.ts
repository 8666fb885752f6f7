import { expect, it } from 'vitest';
import { findDocument } from '../../../src/shared/domain/documents/find-documents.ts';
import { endUnfinished } from '../../../src/shared/domain/end-unfinished.ts';
import { claimed, newAccount } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { claimedDelivery, newDelivery, recipients, settleAttempt, statusOf } from '../../support/domain/deliveries.ts';
import { keepRules } from '../../support/domain/keep-rules.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const { db, pool } = await useOwnDatabase();
const objects = { put: async () => undefined };
keepRules(pool);

const statusesOf = async (batchId: string): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ status: string }>(
    `select g.status from batch_rows r join generations g on g.id = r.generation_id where r.batch_id = $1 order by r.row`,
    [batchId],
  );
  return rows.map(({ status }) => status);
};

it('a restore fails and refunds single documents, and no e-mail is sent again', async () => {
  const account = await newAccount(db, { docs: 10 });
  const [waiting, running] = [await account.accept(), await account.accept()];
  await claimed(db, running);
  const [pending, transmitting, sent] = [await newDelivery(db), await newDelivery(db), await newDelivery(db)];
  await claimedDelivery(db, transmitting.id);
  await settleAttempt(db, await claimedDelivery(db, sent.id), 'sent', recipients('sent'));

  const ended = await endUnfinished(db);
  expect(ended).toEqual({ documents: 2, batches: 0, emails: 2 });
  for (const id of [waiting, running]) {
    expect(await findDocument(db, id)).toMatchObject({ status: 'failed', error: { code: 'unavailable' } });
  }
  expect(await account.docsLeft()).toBe(10);
  expect(await statusOf(db, pending)).toBe('unknown: unknown unknown unknown');
  expect(await statusOf(db, transmitting)).toBe('unknown: unknown unknown unknown');
  expect(await statusOf(db, sent)).toBe('sent: sent sent sent');
  expect(await endUnfinished(db)).toEqual({ documents: 0, batches: 0, emails: 0 });
});

it('batches continue after a restore, unless they send e-mails', async () => {
  const account = await newAccount(db, { docs: 20 });
  const rows = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
  const [silent, mailing] = [
    await newBatch(db, objects, account, { rows }),
    await newBatch(db, objects, account, { rows }),
  ];
  await pool.query(`update generations set email = $2 where id = any($1)`, [
    mailing.documentIds.slice(1),
    JSON.stringify({ deliveryId: 'dlv_test', to: ['a@example.com'], cc: [], bcc: [], subject: null, body: null }),
  ]);
  await claimed(db, mailing.documentIds[0] ?? '');

  expect(await endUnfinished(db)).toEqual({ documents: 1, batches: 1, emails: 0 });
  expect(await statusesOf(silent.batchId)).toEqual(['queued', 'queued', 'queued']);
  expect(await statusesOf(mailing.batchId)).toEqual(['failed', 'cancelled', 'cancelled']);
  expect(await account.docsLeft()).toBe(17);
  expect(await endUnfinished(db)).toEqual({ documents: 0, batches: 0, emails: 0 });
});
