import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { newId } from '../../../../src/shared/ids.ts';
import { claimed, documentRequest, finishedDocument, newAccount } from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();

/** Violates a rule in a transaction that is rolled back, and returns what the checks report. */
async function rulesBroken(
  breakRule: (client: PoolClient, ids: { account: string; queued: string; done: string }) => Promise<unknown>,
  options = {},
): Promise<string[]> {
  const { accountId, templateId } = await newAccount(db, { docs: 5, credits: [{ docs: 1 }] });
  const [queued, made] = [documentRequest(templateId), documentRequest(templateId, { isKept: true, email: email() })];
  await acceptGeneration(db, accountId, queued);
  await acceptGeneration(db, accountId, made);
  const claim = await claimed(db, made.id);
  await succeedGeneration(db, claim, finishedDocument(claim));
  const client = await pool.connect();
  try {
    await client.query('begin');
    await breakRule(client, { account: accountId, queued: queued.id, done: made.id });
    const found = await violations(client, options);
    return [...new Set(found.map(ruleOf))];
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function ruleOf(line: string): string {
  return line.slice(0, line.indexOf(':'));
}

function email() {
  return {
    deliveryId: newId('dlv'),
    to: ['a@example.com', 'b@example.com'],
    cc: [],
    bcc: [],
    subject: null,
    body: null,
  };
}

describe('the checks of billing and delivery', () => {
  it.each([
    [
      'a hold that is not in the ledger',
      'L1 the reserved and settled',
      `update allowances set docs_held = docs_held + 1 where account_id = $1`,
    ],
    [
      'a charge that is not in the ledger',
      'L1 the reserved and settled',
      `update allowances set docs_settled = docs_settled + 1 where account_id = $1`,
    ],
    [
      'a month beside another',
      'L1 an account has one quota month',
      `insert into allowances (id, account_id, kind, docs, starts_at, ends_at)
      select 'forged', $1, 'subscription', 1, now(), now() + interval '1 day'`,
    ],
    [
      'a document that ended without its settlement',
      'L2 a document has one reservation',
      `update generations set status = 'succeeded' where account_id = $1`,
    ],
    [
      'a reservation without a document',
      'L2 a ledger entry',
      `insert into ledger (account_id, generation_id, allowance_id, kind, units)
      select $1, 'doc_forged', id, 'reserve', 1 from allowances where account_id = $1 limit 1`,
    ],
    [
      'a document accepted out of its period',
      'L2 a document is charged',
      `update generations set accepted_at = now() - interval '1 year' where account_id = $1`,
    ],
    [
      'an end without a time',
      'L3 a finished document',
      `update generations set finished_at = null where account_id = $1`,
    ],
    [
      'a template count without templates',
      'the template counter of an account',
      `update accounts set template_count = 7 where id = $1`,
    ],
    ['an e-mail that was lost', 'E1 a successful document', `delete from deliveries where account_id = $1`],
    [
      'a delivery status that contradicts its recipients',
      'E1 a delivery lists',
      `update deliveries set status = 'sent' where account_id = $1`,
    ],
    [
      'a key that is bound to nothing',
      'an idempotency key',
      `insert into idempotency_keys
      select $1, 'k', 'op', 'hash', 'doc_forged', null, now(), now()`,
    ],
  ])('report %s', async (_story, rule, statement) => {
    const broken = await rulesBroken((client, { account }) => client.query(statement, [account]));
    expect(broken.find((name) => name.startsWith(rule))).toBeDefined();
  });

  it('report credits that were used beyond their number', async () => {
    const broken = await rulesBroken((client, { account }) =>
      client.query(`update allowances set docs_held = docs + 1 where account_id = $1 and kind = 'credits'`, [account]),
    );
    expect(broken).toContain('L1 credits are never overdrawn');
  });

  it('report unfinished work when all work should be finished', async () => {
    const broken = await rulesBroken(async () => undefined, { isQuiet: true });
    expect(broken).toEqual(expect.arrayContaining(['L1 nothing is reserved', 'E1 every delivery is finished']));
  });

  it('report nothing when nothing is wrong', async () => {
    expect(await rulesBroken(async () => undefined)).toEqual([]);
  });
});
