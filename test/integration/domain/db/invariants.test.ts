import { expect, it } from 'vitest';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { planReservation } from '../../../../src/shared/domain/batches/reserve-rows.ts';
import { acceptDocument } from '../../../../src/shared/domain/documents/accept-document.ts';
import { acceptOnce } from '../../../../src/shared/domain/documents/accept-once.ts';
import { claimDocument, claimDocuments } from '../../../../src/shared/domain/documents/claim-document.ts';
import { abandonDocument, failDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { settleDocuments } from '../../../../src/shared/domain/documents/settle-documents.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import {
  documentRequest,
  emailTo,
  finishedDocument,
  internalError,
  newAccount,
  outcomeOf,
  tally,
  templateInput,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';

// A separate database: statements of other tests also wait in the shared one.
const { db, pool } = await useOwnDatabase();
keepRules(pool);

/** Each breaks the rule whose name begins like this. */
const forgeries: readonly [rule: string, statement: string][] = [
  ['L1 the reserved and settled', 'update allowances set docs_held = docs_held + 1 where account_id = $1'],
  ['L1 the reserved and settled', 'update allowances set docs_settled = docs_settled + 1 where account_id = $1'],
  ['L1 credits are never', `update allowances set docs_held = docs + 1 where account_id = $1 and kind = 'credits'`],
  [
    'L1 an account has one quota month',
    `insert into allowances (id, account_id, kind, docs, starts_at, ends_at)
      select 'forged', $1, 'subscription', 1, now(), now() + interval '1 day'`,
  ],
  ['L2 a document has one reservation', `update generations set status = 'succeeded' where account_id = $1`],
  [
    'L2 a ledger entry',
    `insert into ledger (account_id, generation_id, allowance_id, kind, units)
      select $1, 'doc_forged', id, 'reserve', 1 from allowances where account_id = $1 limit 1`,
  ],
  ['L2 a document is charged', `update generations set accepted_at = now() - interval '1 year' where account_id = $1`],
  ['L3 a finished document', 'update generations set finished_at = null where account_id = $1'],
  ['the template counter of an account', 'update accounts set template_count = 7 where id = $1'],
  ['E1 a successful document', 'delete from deliveries where account_id = $1'],
  ['E1 a delivery lists', `update deliveries set status = 'sent' where account_id = $1`],
  ['an idempotency key', `insert into idempotency_keys select $1, 'k', 'op', 'hash', 'doc_forged', null, now(), now()`],
];

it('the checks of billing and delivery report every broken rule, and unfinished work where none should be left', async () => {
  const { accountId, accept, produce } = await newAccount(db, { docs: 5, credits: [{ docs: 1 }] });
  await accept();
  await produce({ isKept: true, email: emailTo('a@example.com', 'b@example.com') });
  expect(await violations(pool)).toEqual([]);
  const unfinished = (await violations(pool, { isQuiet: true })).join('\n');
  expect(unfinished).toMatch(/L3 every document(.|\n)*L1 nothing is reserved(.|\n)*E1 every delivery is finished/);
  const client = await pool.connect();
  for (const [rule, statement] of forgeries) {
    await client.query('begin');
    await client.query(statement, [accountId]);
    expect(await violations(client), statement).toContainEqual(expect.stringMatching(`^${rule}`));
    await client.query('rollback');
  }
  client.release();
});

it.each([1, 2])('200 parallel operations of one account neither fail nor deadlock (%i)', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 60, templates: 10, credits: [{ docs: 20 }] });
  const accepted: string[] = [];
  const accept = async (index: number): Promise<void> => {
    const request = documentRequest(templateId);
    const key = { key: `k${index}`, operation: 'POST generate', requestHash: 'same', ttlSeconds: 3_600 };
    await (index % 2 === 0 ? acceptDocument(db, accountId, request) : acceptOnce(db, accountId, request, key));
    accepted.push(request.id);
    if (index % 5 === 0) return void (await abandonDocument(db, { id: request.id, attempts: 0 }, internalError));
    const claim = await claimDocument(db, request.id);
    if (claim === undefined) return;
    if (index % 3 === 0) await failDocument(db, claim, internalError);
    else await succeedDocument(db, claim, finishedDocument(claim));
  };
  const verbs = [
    accept,
    accept,
    accept,
    accept,
    (index: number) =>
      setSubscription(db, { accountId, docs: 50 + (index % 20), templates: 10, anchorDay: 1 + (index % 28) }),
    (index: number) =>
      index % 2 === 0 ? grantCredits(db, { accountId, docs: 1, templates: 0 }) : readQuotas(db, accountId),
    async () => {
      const { id } = await createTemplate(db, templateInput(accountId));
      await removeTemplate(db, accountId, id);
    },
  ];
  const outcomes = await together(200, (index) => outcomeOf(Promise.resolve(verbs[index % verbs.length]?.(index))));
  const { ok: _ok, quota_exceeded: _exceeded, ...others } = tally(outcomes);
  expect(others).toEqual({});
  expect(accepted.length).toBeGreaterThan(60);
  const { rows } = await pool.query(`select 1 from allowances where account_id = $1 and docs_held > 0`, [accountId]);
  expect(rows).toEqual([]);
});

it('a group settlement and a batch lock the credits of an account in the same order', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const waiting = async () => {
    const { rows } = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and pid <> pg_backend_pid() and query like any ($1)`,
      [['%allowances%', '%json_to_recordset%']],
    );
    return rows.length;
  };
  const credits = [20, 10].map((days) => ({ docs: 1, expiresAt: inDays(days) }));
  const { accountId, accept } = await newAccount(db, { credits });
  const ids = [await accept(), await accept()];
  const claims = await claimDocuments(db, ids);
  await pool.query('update allowances set docs = 10 where account_id = $1', [accountId]);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from allowances where account_id = $1 order by ends_at limit 1 for update', [accountId]);
  const batch = inTransaction(db, (tx) => planReservation(tx, accountId, { units: 15, isLocking: true }));
  await expect.poll(waiting).toBeGreaterThanOrEqual(1);
  const settled = settleDocuments(
    db,
    claims.map((claim) => ({ attempt: claim, document: finishedDocument(claim) })),
  );
  await expect.poll(waiting).toBeGreaterThanOrEqual(2);
  await holder.query('rollback');
  holder.release();
  expect((await batch).map(({ units }) => units)).toEqual([9, 6]);
  expect([...(await settled)].sort()).toEqual(ids.sort());
  const charged = await pool.query('select docs_settled from allowances where account_id = $1', [accountId]);
  expect(charged.rows).toEqual([{ docs_settled: 1 }, { docs_settled: 1 }]);
});
