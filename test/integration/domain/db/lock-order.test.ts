import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { planReservation } from '../../../../src/shared/domain/batches/reserve-rows.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGenerations } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { settleDocuments } from '../../../../src/shared/domain/generations/settle-documents.ts';
import { documentRequest, finishedDocument, newAccount } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

// A separate database: statements of other tests also wait in the shared one.
const { db, pool } = await useOwnDatabase();
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** Resolves when this number of statements of this database wait for a row lock. */
async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and pid <> pg_backend_pid() and query like any ($1)`,
        [['%allowances%', '%json_to_recordset%']],
      );
      return rows.length;
    })
    .toBeGreaterThanOrEqual(count);
}

it('a group settlement and a batch lock the credits of an account in the same order', async () => {
  const account = await newAccount(db, {
    credits: [
      { docs: 1, expiresAt: inDays(20) },
      { docs: 1, expiresAt: inDays(10) },
    ],
  });
  const requests = [documentRequest(account.templateId), documentRequest(account.templateId)];
  for (const request of requests) await acceptGeneration(db, account.accountId, request);
  const claims = await claimGenerations(
    db,
    requests.map(({ id }) => id),
  );
  await pool.query(`update allowances set docs = 10 where account_id = $1`, [account.accountId]);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(`select 1 from allowances where account_id = $1 order by ends_at limit 1 for update`, [
    account.accountId,
  ]);
  const batch = inTransaction(db, (tx) => planReservation(tx, account.accountId, { units: 15, isLocking: true }));
  await untilWaiting(1);
  const settled = settleDocuments(
    db,
    claims.map((claim) => ({ attempt: claim, document: finishedDocument(claim) })),
  );
  await untilWaiting(2);
  await holder.query('rollback');
  holder.release();
  expect((await batch).map(({ units }) => units)).toEqual([9, 6]);
  expect([...(await settled)].sort()).toEqual(requests.map(({ id }) => id).sort());
  expect(
    await db.execute(sql`select 1 from allowances where account_id = ${account.accountId} and docs_settled = 1`),
  ).toHaveProperty('rowCount', 2);
});
