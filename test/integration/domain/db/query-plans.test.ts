import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { partitionOf } from '../../../../src/shared/db/partitions.ts';
import { listAccountKeys } from '../../../../src/shared/domain/api-keys/find-account-keys.ts';
import { findKey } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { listAssets } from '../../../../src/shared/domain/assets/find-assets.ts';
import { requeueRows } from '../../../../src/shared/domain/batches/dispatch/requeue-rows.ts';
import { listBatches } from '../../../../src/shared/domain/batches/find-batches.ts';
import { claimDelivery } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { listDeliveries } from '../../../../src/shared/domain/deliveries/list-deliveries.ts';
import {
  endLostDeliveries,
  endUndeliverableEmails,
  findDueDeliveries,
} from '../../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { findDictionary } from '../../../../src/shared/domain/dictionaries/find-dictionary.ts';
import { purgeDictionaries } from '../../../../src/shared/domain/dictionaries/remove-dictionary.ts';
import { acceptDocument } from '../../../../src/shared/domain/documents/accept-document.ts';
import { claimDocument, claimDocuments } from '../../../../src/shared/domain/documents/claim-document.ts';
import { findExpiredResults, markResultExpired } from '../../../../src/shared/domain/documents/expire-results.ts';
import { failDocument, refundDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { findDocument, listDocuments } from '../../../../src/shared/domain/documents/find-documents.ts';
import { findUnfinished, findUnfinishedOf } from '../../../../src/shared/domain/documents/find-unfinished.ts';
import { settleDocuments } from '../../../../src/shared/domain/documents/settle-documents.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { listFontNames, listFonts, readCoverage } from '../../../../src/shared/domain/fonts/find-fonts.ts';
import { findPurgeableFonts } from '../../../../src/shared/domain/fonts/remove-font.ts';
import { removeExpiredKeys } from '../../../../src/shared/domain/idempotency-keys.ts';
import { findOrphanedKeys } from '../../../../src/shared/domain/orphaned-objects.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { listTemplates } from '../../../../src/shared/domain/templates/find-template.ts';
import { findTemplateByName } from '../../../../src/shared/domain/templates/put-template.ts';
import { readTemplateStatistics, sampledDocuments } from '../../../../src/shared/domain/templates/read-statistics.ts';
import { findPurgeableTemplates, removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import { listWebhooksOfDocument } from '../../../../src/shared/domain/webhooks/list-webhooks-of-document.ts';
import { settleWebhookDelivery } from '../../../../src/shared/domain/webhooks/settle-webhook-delivery.ts';
import {
  endExhaustedWebhooks,
  findDueWebhooks,
  removeOldEvents,
} from '../../../../src/shared/domain/webhooks/sweep-webhooks.ts';
import { listWebhookDeliveries } from '../../../../src/shared/domain/webhooks/webhook-deliveries.ts';
import { disabledOutcome } from '../../../../src/worker/webhooks/webhook-outcome.ts';
import { documentRequest, finishedDocument, internalError, templateInput } from '../../../support/domain/accounts.ts';
import { addPartition } from '../../../support/domain/partitions.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { everyNode, explainingDatabase, plansOf, rowsRead, scans } from './explaining-pool.ts';

const accounts = 1_000;
const documents = 30_000;
/** Rows of each kind per account. */
const many = 5_000;
const { url } = await useOwnDatabase();

/** This month and past ones, whose partitions hold documents, ledger entries and e-mails. */
const pastMonths = [0, -1, -2, -3];
const perMonth = 3_000;

function documentsOf(offset: number): string {
  const [id, deliveryId] = (['generations', 'deliveries'] as const).map(
    (table) => partitionOf(table, new Date(), offset).from,
  );
  return `
  insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
      is_kept, status, attempts, attempt_token, data_checksum, accepted_at, finished_at)
    select '${id}' || lpad(n::text, 16, '0'), 'acc_' || (n % ${accounts} + 1), 'tpl_' || (n % ${accounts * 5} + 1), 1, 'k', 'c', 'docx',
      'f', false, 'succeeded', 1, 't', 'c', now() + make_interval(months => ${offset}), now() from generate_series(1, ${perMonth}) n;
  insert into ledger (account_id, generation_id, allowance_id, kind, units)
    select account_id, id, 'alw_' || substr(account_id, 5) || '_0', kind, 1
    from generations, unnest('{reserve,settle}'::text[]) kind where id like '${id}%';
  insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
    select '${deliveryId}' || lpad(n::text, 16, '0'), 'acc_1', '${id}' || lpad(n::text, 16, '0'), 'sent', 'm', '[]', now(), now()
    from generate_series(1, ${perMonth}) n;`;
}

/** Two years of a service in use: nearly everything has finished. The same rows in each run. */
const history = `
  select setseed(0.5);
  insert into accounts (id, name, template_count) select 'acc_' || n, 'a', 5 from generate_series(1, ${accounts}) n;
  insert into subscriptions select 'acc_' || n, 1000, 100, 1 from generate_series(1, ${accounts}) n;
  insert into api_keys (id, account_id, public_id, secret_hash) select 'key_' || n, 'acc_' || n, lpad(n::text, 16, '0'), sha256('k') from generate_series(1, ${accounts}) n;
  insert into allowances (id, account_id, kind, docs, docs_settled, starts_at, ends_at)
    select 'alw_' || n || '_' || m, 'acc_' || n, 'subscription', 1000, 30, month - m * interval '1 month', month - (m - 1) * interval '1 month'
    from generate_series(1, ${accounts}) n, generate_series(0, 11) m, date_trunc('month', now()) month;
  insert into templates (id, account_id, name, version, created_at, updated_at, deleted_at)
    select 'tpl_' || n, 'acc_' || (n % ${accounts} + 1), 'Letter.docx', 1, now(), now(), case when n % 500 = 0 then now() - interval '1 hour' end
    from generate_series(1, ${accounts * 5}) n;
  insert into template_versions (template_id, version, object_key, size_bytes, checksum, tags, fonts, created_at)
    select id, 1, 'templates/' || account_id || '/' || id || '/1.docx', 1000, 'c', '[]', '[]', now() from templates;
  insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
      is_kept, status, attempts, attempt_token, data_checksum, accepted_at, finished_at, expires_at, result_store, result_key)
    select 'doc_' || n, 'acc_' || (n % ${accounts} + 1), 'tpl_' || (n % ${accounts * 5} + 1), 1, 'k', 'c', 'docx', 'f',
      true, case when n % 1000 = 0 then 'queued' else 'succeeded' end, 1, 't', 'c', now() - n * interval '1 second', now(),
      now() + (n % 100 - 1) * interval '1 hour', 'object', 'results/acc_' || (n % ${accounts} + 1) || '/doc_' || n || '/t.docx'
    from generate_series(1, ${documents}) n;
  insert into ledger (account_id, generation_id, allowance_id, kind, units)
    select account_id, id, 'alw_' || substr(account_id, 5) || '_0', kind, 1 from generations, unnest('{reserve,settle}'::text[]) kind;
  insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at, locked_until)
    select 'dlv_' || id, account_id, id, (array['sent', 'failed', 'sent', 'pending'])[1 + (random() * 3.001)::int], 'm', '[{"address": "a@example.com", "status": "sent"}]', now(), now(), now()
    from generations where random() < 0.3;
  update deliveries set status = case when random() < 0.99 then 'sent' else status end;
  insert into idempotency_keys select account_id, id, 'op', 'hash', id, null, now(), expires_at from generations;
  insert into conversion_failures (fingerprint, account_id, failures, generation_id, template_id, template_version, reason, evidence_key)
    select id, account_id, 1, id, template_id, 1, 'worker_lost', 'quarantine/' || account_id || '/' || id from generations;
  insert into template_failures (template_id, template_version, account_id, generation_id, reason, failures, suspensions, window_started_at, updated_at)
    select id, 1, account_id, 'doc_1', 'worker_lost', 1, 0, now(), now() from templates;
  insert into layout_proofs (template_id, version, layout_key, state)
    select id, 1, 'k', 'direct' from templates;
  insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
    select 'whk_' || n, 'acc_' || n, 'endpoint', 'https://example.com', '["document.succeeded"]', 'enabled', 's', now(), now()
    from generate_series(1, ${accounts}) n;
  insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
    select 'whk_other_' || n, 'acc_' || (n % ${accounts} + 1), 'endpoint', 'https://example.com', '[]', 'enabled', 's', now(), now()
    from generate_series(1, ${many}) n;
  insert into webhook_events (id, account_id, type, data, created_at)
    select 'evt_' || id, account_id, 'document.succeeded', '{}', now() from generations where random() < 0.3;
  insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at, locked_until)
    select 'whd_' || id, account_id, id, 'whk_' || substr(account_id, 5), 'whk_' || substr(account_id, 5),
      case when random() < 0.99 then 'delivered' else 'pending' end, now(), now(), now() from webhook_events;
  insert into key_spending select 'key_' || n, (date_trunc('month', now()) - m * interval '1 month')::date, 5
    from generate_series(1, ${accounts}) n, generate_series(0, 11) m;
  insert into key_use select 'key_' || n, now()::date - d, 'generate', 'acc_' || n, 1, now(), now()
    from generate_series(1, ${accounts}) n, generate_series(0, 11) d;
  insert into usage_days select 'acc_' || n, now()::date - d, 'tpl_1', '', 1, 1, 1, 0, 0
    from generate_series(1, ${accounts}) n, generate_series(1, 20) d;
  insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows, input_key,
      input_bytes, accepted_at, finished_at, expires_at)
    select 'bat_' || n, 'acc_' || (n % ${accounts} + 1), 'tpl_' || n, 1, 'docx', 'zip', 'b', 'completed', 10, 'k', 9, now(), now(),
      now() + (n % 100 - 1) * interval '1 hour' from generate_series(1, ${accounts * 5}) n;
  insert into fonts (id, account_id, name, family, family_key, family_names, full_name, style, format, embedding, glyphs, coverage, size_bytes,
      checksum, object_key, object_checksum, created_at, updated_at, deleted_at)
    select 'fnt_' || n, 'acc_' || (n % ${accounts} + 1), 'f', 'f' || n, 'f' || n, '["f"]', 'f', 'regular', 'truetype', 'print', 1, '[65, 90]', 9,
      'c', 'fonts/acc/' || n, 'c', now(), now(), case when n % 500 = 0 then now() - interval '1 hour' end
    from generate_series(1, ${many}) n;
  insert into dictionaries (id, account_id, words, size_bytes, checksum, created_at, replaced_at)
    select 'dic_' || n, 'acc_' || (n % ${accounts} + 1), '{}', 2, 'c', now() - interval '2 hours',
      case when n > ${accounts} then now() - interval '1 hour' end
    from generate_series(1, ${many}) n;
  insert into assets (id, account_id, name, type, object_key, size_bytes, checksum, width_px, height_px, created_at, updated_at)
    select 'ast_' || n, 'acc_' || (n % ${accounts} + 1), n || '.png', 'png', 'assets/acc/' || n, 9, 'c', 1, 1, now(), now()
    from generate_series(1, ${accounts * 5}) n;
  insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
      is_kept, status, data_checksum, accepted_at)
    select 'doc_many_' || n, 'acc_2', case when n % 1000 = 9 then 'tpl_1001' else 'tpl_1' end, 1, 'k', 'c', 'docx', 'f', false,
      case when n % 1000 = 1 then 'failed' else 'succeeded' end, 'c', now() from generate_series(1, ${many}) n;
  insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows, input_key,
      input_bytes, accepted_at)
    select 'bat_many_' || n, 'acc_2', case when n % 1000 = 9 then 'tpl_1001' else 'tpl_1' end, 1, 'docx', 'zip', 'b',
      case n % 1000 when 1 then 'failed' when 2 then 'bundling' else 'completed' end, 1, 'k', 9, now()
    from generate_series(1, ${many}) n;
  ${pastMonths.map(documentsOf).join('')}
  update templates set deleted_at = now() - interval '2 hours' where id = 'tpl_1';
  insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at)
    select 'whd_many_' || n, 'acc_2', (select min(id) from webhook_events), 'whk_2', 'whk_2',
      case when n % 1000 = 1 then 'failed' else 'delivered' end, now(), now() from generate_series(1, ${many}) n;
  analyze`;

const db = explainingDatabase(url, { max: 2 });

beforeAll(async () => {
  // Without the statement timeout of a pool: a busy machine needs longer for this amount of data.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const offset of pastMonths) {
    for (const table of ['generations', 'ledger', 'deliveries'] as const) await addPartition(client, table, offset);
  }
  await client.query(history);
  await client.end();
});

type Calls = Readonly<Record<string, (db: Database) => Promise<unknown>>>;

async function scannedBy(work: () => Promise<unknown>): Promise<string[]> {
  const plans = await plansOf(work);
  expect(plans.length).toBeGreaterThan(0);
  return scans(plans);
}

const dayMs = 86_400_000;
const lastDays = { from: new Date(Date.now() - 7 * dayMs), to: new Date(Date.now() + dayMs) };
const attempt = { id: 'doc_2000', attemptToken: 't' };
const documentOf = (id: string) =>
  finishedDocument({ queueMs: 0, accountId: 'acc_1', isKept: true, format: 'docx', id, attemptToken: 't' } as never);
const settlementsOf = (ids: readonly string[]) =>
  ids.map((id) => ({ attempt: { id, attemptToken: 't' }, document: documentOf(id) }));
const orphans = Array.from({ length: 10 }, (_, n) => ({
  key: `results/acc_1/doc_${n}/t.docx`,
  modifiedAt: new Date(0),
}));
const mine = { accountId: 'acc_5', limit: 20 };

const everyday: Calls = {
  findKey: () => findKey(db, `dts_${'0'.repeat(15)}7_${'0'.repeat(40)}`),
  acceptDocument: () => acceptDocument(db, 'acc_8', documentRequest('tpl_7')),
  claimDocument: () => claimDocument(db, 'doc_1000'),
  succeedDocument: () => succeedDocument(db, attempt, documentOf(attempt.id)),
  failDocument: () => failDocument(db, attempt, internalError),
  refundDocument: () => refundDocument(db, 'doc_1'),
  findUnfinished: () =>
    findUnfinished(db, { format: 'docx', status: 'queued', olderThanMs: 5_000, after: '', limit: 100 }),
  listDocuments: () => listDocuments(db, mine),
  'listDocuments with a search': () => listDocuments(db, { ...mine, search: 'x' }),
  'listDocuments of a batch in a period': () =>
    listDocuments(db, { ...mine, batchId: 'bat_4', from: new Date(0), to: new Date() }),
  readTemplateStatistics: () =>
    readTemplateStatistics(db, { accountId: 'acc_5', templateIds: ['tpl_4', 'tpl_1004'], since: new Date(0) }),
  listAccountKeys: () => listAccountKeys(db, mine),
  'listDeliveries with a search': () => listDeliveries(db, { ...mine, search: 'x' }),
  listDeliveries: () => listDeliveries(db, { ...mine, statuses: ['failed'] }),
  findExpiredResults: () => findExpiredResults(db, '', 100),
  markResultExpired: () => markResultExpired(db, 'doc_100'),
  removeExpiredKeys: () => removeExpiredKeys(db, 100),
  findOrphanedKeys: () => findOrphanedKeys(db, orphans, 0),
  claimDelivery: () => claimDelivery(db, 'dlv_doc_3', 1_000),
  findDueDeliveries: () => findDueDeliveries(db, '', 100),
  endLostDeliveries: () => endLostDeliveries(db),
  endUndeliverableEmails: () => endUndeliverableEmails(db, ['dlv_doc_3'], 8),
  settleWebhookDelivery: () => settleWebhookDelivery(db, { id: 'whd_1', attemptToken: 't' }, disabledOutcome),
  listWebhookDeliveries: () => listWebhookDeliveries(db, { ...mine, webhookId: 'whk_5' }),
  listWebhooksOfDocument: () =>
    listWebhooksOfDocument(db, { accountId: 'acc_5', ids: ['doc_4'], endedAt: [new Date(), new Date(0)] }),
  findDueWebhooks: () => findDueWebhooks(db, '', { limit: 100, maxCount: 8 }),
  endExhaustedWebhooks: () => endExhaustedWebhooks(db, 9),
  removeOldEvents: () => removeOldEvents(db, 100, 30),
  readQuotas: () => readQuotas(db, 'acc_9'),
  readUsage: () => readUsage(db, { accountId: 'acc_9', ...lastDays, groupBy: 'template', limit: 20 }),
  createTemplate: () => createTemplate(db, templateInput('acc_9')),
  findTemplateByName: () => findTemplateByName(db, 'acc_9', 'x.docx'),
  removeTemplate: () => removeTemplate(db, 'acc_8', 'tpl_7'),
  listTemplates: () => listTemplates(db, mine),
  findPurgeableFonts: () => findPurgeableFonts(db, '', 100),
  listFonts: () => listFonts(db, { accountId: 'acc_1', limit: 50 }),
  listFontNames: () => listFontNames(db, 'acc_1'),
  findDictionary: () => findDictionary(db, 'acc_1'),
  purgeDictionaries: () => purgeDictionaries(db, 100),
  readCoverage: () => readCoverage(db, ['fonts/acc/1']),
  findPurgeableTemplates: () => findPurgeableTemplates(db, '', 100),
};

it.each(Object.entries(everyday))('%s reads no table from end to end', async (_name, work) => {
  expect(await scannedBy(() => work(db))).toEqual([]);
});

it('a sequential scan would be detected', async () => {
  expect(await scannedBy(() => db.execute(`select 1 from generations where filename = 'x'`))).toEqual(['generations']);
});

// PostgreSQL sorts a few rows anyway unless sorting is disabled; a sort that remains lacks an index.
const unsorting = explainingDatabase(url, { settings: ['enable_sort=off'] });
const sorted: Calls = {
  listTemplates: (db) => listTemplates(db, { ...mine, before: 'tpl_9' }),
  listAssets: (db) => listAssets(db, { ...mine, before: 'ast_9' }),
};

/** Pages are read in index order: sorting would read all rows of an account for each page. */
it.each(Object.entries(sorted))('%s sorts nothing', async (_name, work) => {
  const plans = await plansOf(() => work(unsorting));
  expect(everyNode(plans).map((node) => node['Node Type'])).not.toContain('Sort');
});

const measuring = explainingDatabase(url, { settings: ['enable_seqscan=off'], isAnalyzing: true });
const page = { accountId: 'acc_2', limit: 20 };
const deliveries = { ...page, webhookId: 'whk_2' };
const rare = { ...page, status: 'failed' } as const;

type List = (db: Database) => Promise<Readonly<Record<string, unknown>>>;
/** Each page with the number of rows that it shows. */
const pages: Readonly<Record<string, readonly [number, List]>> = {
  documents: [20, (db) => listDocuments(db, page)],
  'documents behind others': [20, (db) => listDocuments(db, { ...page, before: 'doc_many_5' })],
  'documents of a rare status': [5, (db) => listDocuments(db, rare)],
  'documents of a status that none has': [0, (db) => listDocuments(db, { ...page, status: 'cancelled' })],
  'documents of a rare template': [5, (db) => listDocuments(db, { ...page, templateId: 'tpl_1001' })],
  'documents of a rare status and a template': [5, (db) => listDocuments(db, { ...rare, templateId: 'tpl_1' })],
  "documents of another account's template": [
    0,
    (db) => listDocuments(db, { ...page, accountId: 'acc_3', templateId: 'tpl_1' }),
  ],
  batches: [20, (db) => listBatches(db, page)],
  'batches of a rare status': [5, (db) => listBatches(db, rare)],
  'batches at work': [5, (db) => listBatches(db, { ...page, status: 'running' })],
  'batches of a rare template': [6, (db) => listBatches(db, { ...page, templateId: 'tpl_1001' })],
  deliveries: [20, (db) => listWebhookDeliveries(db, deliveries)],
  'deliveries of a rare status': [5, (db) => listWebhookDeliveries(db, { ...deliveries, status: 'failed' })],
};

/** Holds for accounts of any size and pages of any size. */
it.each(Object.entries(pages))('a page of %s reads little more than it shows', async (_name, [shown, list]) => {
  let ids: readonly string[] = [];
  const plans = await plansOf(async () => {
    const rows = Object.values(await list(measuring)).find(Array.isArray) as readonly { readonly id: string }[];
    ids = rows.map(({ id }) => id);
  });
  expect(ids).toHaveLength(shown);
  expect(ids).toEqual(ids.toSorted().reverse());
  // A page for each of six statuses, the page itself, and the rows joined to it.
  expect(rowsRead(plans)).toBeLessThanOrEqual(8 * 21);
});

it('a page of a search reads a bounded number of documents, and the next continues behind them', async () => {
  let next: string | undefined;
  const plans = await plansOf(async () => {
    const first = await listDocuments(measuring, { ...page, search: 'doc_many_1 ' });
    expect(first).toEqual({ documents: [], next: expect.stringMatching(/^doc_many_/) });
    next = first.next;
  });
  // At most 2,001 of each status.
  expect(rowsRead(plans, 'generations')).toBeLessThanOrEqual(5 * 2_001);
  const found: string[] = [];
  let count = 0;
  for (; next !== undefined; count++) {
    const result = await listDocuments(db, { ...page, search: 'MANY_1000', before: next });
    found.push(...result.documents.map(({ id }) => id));
    next = result.next;
  }
  expect(count).toBeGreaterThan(1);
  expect(found).toEqual(['doc_many_1000']);
});

it("a template's statistics read a bounded number of its documents", async () => {
  const ofTemplate = { accountId: 'acc_2', templateIds: ['tpl_1'], since: new Date(0) };
  expect(await readTemplateStatistics(measuring, ofTemplate)).toEqual([]);
  await db.execute(`update templates set deleted_at = null, account_id = 'acc_2' where id = 'tpl_1'`);
  const plans = await plansOf(async () => {
    const [own] = await readTemplateStatistics(measuring, ofTemplate);
    expect(own?.documents).toBe(sampledDocuments);
  });
  // As many of each of two statuses, and the newest of five.
  expect(rowsRead(plans, 'generations')).toBeLessThanOrEqual(2 * sampledDocuments + 5);
});

it('only the unfinished documents of a deleted template are read', async () => {
  const plans = await plansOf(() => findPurgeableTemplates(measuring, '', 100));
  expect(rowsRead(plans, 'generations')).toBeLessThanOrEqual(10);
});

const nothingYet = await useOwnDatabase();
const early = explainingDatabase(nothingYet.url, { settings: ['enable_seqscan=off'] });
const parents = new Map<string, string>();
beforeAll(async () => {
  const { rows } = await nothingYet.pool.query<{ child: string; parent: string }>(
    `select i.inhrelid::regclass::text as child, i.inhparent::regclass::text as parent
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'i'`,
  );
  for (const { child, parent } of rows) parents.set(child, parent);
});

/**
 * The indexes that the plan for an empty table uses. Indexes of partitions have the name of their parent index.
 */
async function indexesOf(work: (db: Database) => Promise<unknown>): Promise<ReadonlySet<string>> {
  const nodes = everyNode(await plansOf(() => work(early)));
  return new Set(nodes.flatMap(({ 'Index Name': name }) => (name === undefined ? [] : [parents.get(name) ?? name])));
}

const byIds = (ids: readonly string[]): Calls => ({
  claimDocuments: (db) => claimDocuments(db, ids),
  settleDocuments: (db) => settleDocuments(db, settlementsOf(ids)),
  failDocument: (db) => failDocument(db, { id: ids[0] ?? '', attemptToken: 't' }, internalError),
  requeueRows: (db) => requeueRows(db, ids),
});

/** Plans are cached. One made for a small table must not later read all unfinished rows or all rows of an account. */
it.each([
  ...Object.entries(byIds(['doc_1', 'doc_2'])),
  ['settleDocuments of one', (db: Database) => settleDocuments(db, settlementsOf(['doc_2']))] as const,
])('%s finds documents by their ids, even with a plan made for an empty table', async (_name, work) => {
  const used = [...(await indexesOf(work))].filter((name) => name.startsWith('generations_'));
  expect(used).toEqual(['generations_pkey']);
});

it.each<[string, (db: Database) => Promise<unknown>, readonly string[]]>([
  ['documents', (db) => listDocuments(db, page), ['generations_account', 'generations_pkey', 'batches_pkey']],
  [
    'documents of a template',
    (db) => listDocuments(db, { ...page, templateId: 'tpl_1' }),
    ['generations_template', 'generations_pkey', 'batches_pkey'],
  ],
  ['batches', (db) => listBatches(db, page), ['batches_account', 'batches_pkey']],
  [
    'batches of a template',
    (db) => listBatches(db, { ...page, templateId: 'tpl_1' }),
    ['batches_template', 'batches_pkey'],
  ],
  [
    'deliveries',
    (db) => listWebhookDeliveries(db, deliveries),
    ['webhook_deliveries_endpoint', 'webhook_deliveries_pkey', 'webhook_events_pkey'],
  ],
])('a page of %s uses its indexes, even with a plan made for an empty table', async (_name, list, indexes) => {
  expect(await indexesOf(list)).toEqual(new Set(indexes));
});

const current = partitionOf('generations', new Date());
const thisMonth = ['1', '2'].map((n) => `${current.from}${n.padStart(16, '0')}`);
const [ofThisMonth = ''] = thisMonth;
const pathOfDocument: Calls = {
  ...byIds(thisMonth),
  findDocument: (db) => findDocument(db, ofThisMonth),
  findUnfinishedOf: (db) => findUnfinishedOf(db, thisMonth),
  acceptDocument: (db) => acceptDocument(db, 'acc_9', documentRequest('tpl_8')),
  refundDocument: (db) => refundDocument(db, ofThisMonth),
};

/** A statement about one document opens the partitions of its month only, however many months are kept. */
it.each(Object.entries(pathOfDocument))('%s opens the partitions of one month', async (_name, work) => {
  const month = current.name.slice(-7);
  const relations = everyNode(await plansOf(() => work(db))).flatMap((node) => node['Relation Name'] ?? []);
  const opened = relations.filter((name) => /^(generations|ledger|deliveries)_/.test(name));
  expect(opened.filter((name) => !name.endsWith(month))).toEqual([]);
});
