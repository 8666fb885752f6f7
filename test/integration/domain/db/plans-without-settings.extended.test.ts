import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { findKey } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { acceptDocument } from '../../../../src/shared/domain/documents/accept-document.ts';
import { claimDocuments } from '../../../../src/shared/domain/documents/claim-document.ts';
import { failDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { findUnfinished } from '../../../../src/shared/domain/documents/find-unfinished.ts';
import { settleDocuments } from '../../../../src/shared/domain/documents/settle-documents.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { documentRequest, finishedDocument, internalError } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { explainingDatabase, plansOf, scans } from './explaining-pool.ts';

const accounts = 2_000;
const documents = 200_000;
const { url } = await useOwnDatabase();

/** 200,000 documents, nearly all finished. */
const history = `
  insert into accounts (id, name, template_count) select 'acc_' || n, 'a', 5 from generate_series(1, ${accounts}) n;
  insert into api_keys (id, account_id, public_id, secret_hash) select 'key_' || n, 'acc_' || n, lpad(n::text, 16, '0'), sha256('k') from generate_series(1, ${accounts}) n;
  insert into allowances (id, account_id, kind, docs, docs_settled, starts_at, ends_at)
    select 'alw_' || n, 'acc_' || n, 'subscription', 1000, 30, month, month + interval '1 month'
    from generate_series(1, ${accounts}) n, date_trunc('month', now()) month;
  insert into templates (id, account_id, name, version, created_at, updated_at)
    select 'tpl_' || n, 'acc_' || n, 'Letter.docx', 1, now(), now() from generate_series(1, ${accounts}) n;
  insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, fonts, created_at)
    select id, 1, 'templates/' || id, 1000, 'c', '[]', '[]', now() from templates;
  insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
      is_kept, status, attempts, attempt_token, data_checksum, accepted_at, finished_at)
    select 'doc_' || n, 'acc_' || (n % ${accounts} + 1), 'tpl_' || (n % ${accounts} + 1), 1, 'k', 'c', 'docx', 'f',
      false, case when n % 1000 = 0 then 'queued' else 'succeeded' end, 1, 't', 'c', now() - n * interval '1 second', now()
    from generate_series(1, ${documents}) n;
  insert into ledger (account_id, generation_id, allowance_id, kind, units)
    select account_id, id, 'alw_' || substr(account_id, 5), kind, 1 from generations, unnest('{reserve,settle}'::text[]) kind`;

// Both kinds of plans that PostgreSQL may choose by itself: generic ones, and those for the given values.
const modes = ['force_generic_plan', 'force_custom_plan'] as const;
const databases = modes.map((planCacheMode) => [planCacheMode, explainingDatabase(url, { planCacheMode })] as const);

const twoIds = ['doc_1000', 'doc_2000'];
const finished = (id: string) =>
  finishedDocument({ queueMs: 0, accountId: 'acc_1', isKept: false, format: 'docx', id, attemptToken: 't' } as never);
const settlements = twoIds.map((id) => ({ attempt: { id, attemptToken: 'x' }, document: finished(id) }));
const statements: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  findKey: (db) => findKey(db, `dts_${'0'.repeat(15)}7_${'0'.repeat(40)}`),
  acceptDocument: (db) => acceptDocument(db, 'acc_8', documentRequest('tpl_8')),
  claimDocuments: (db) => claimDocuments(db, twoIds),
  settleDocuments: (db) => settleDocuments(db, settlements),
  succeedDocument: (db) => succeedDocument(db, { id: 'doc_3000', attemptToken: 'x' }, finished('doc_3000')),
  failDocument: (db) => failDocument(db, { id: 'doc_4000', attemptToken: 'x' }, internalError),
  findUnfinished: (db) =>
    findUnfinished(db, { format: 'docx', status: 'queued', olderThanMs: 5_000, after: '', limit: 100 }),
};

async function runOnce(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

beforeAll(() => runOnce(history));

describe.each([
  ['never analyzed', 'select 1'],
  ['freshly analyzed', 'analyze'],
])('default settings of the planner, in tables that were %s', (_state, prepare) => {
  beforeAll(() => runOnce(prepare));

  describe.each(databases)('with %s', (_mode, db) => {
    it.each(Object.entries(statements))('%s reads no large table from end to end', async (_name, work) => {
      const plans = await plansOf(() => work(db));
      expect(plans.length).toBeGreaterThan(0);
      expect(scans(plans).filter((table) => table === 'generations' || table === 'ledger')).toEqual([]);
    });
  });
});
