import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type AccountExport, exportAccount } from '../../../src/admin/export/export-account.ts';
import { exportedTables } from '../../../src/shared/domain/accounts/exported-tables.ts';
import { createKey } from '../../../src/shared/domain/api-keys/create-key.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { claimed, documentRequest, finishedDocument, newAccount, outcomeOf } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { adminOn, storageVariables, temporaryFolder, withEnvironment } from './run-admin.ts';

const { db, pool, url } = await useOwnDatabase();

/** Tables without data of accounts. */
const ofTheService = [
  'erasures',
  'installation',
  'operator_keys',
  'operator_requests',
  'pending_erasures',
  'retired_partitions',
  'workers',
];

/** Inserts rows of every kind, as the service writes them; `mark` is in every string that a user provides. */
async function fill(objects: Parameters<typeof newBatch>[1], mark: string) {
  const account = await newAccount(db, { docs: 100 });
  const { accountId, templateId } = account;
  const run = (statement: string, ...values: readonly unknown[]) => pool.query(statement, [accountId, ...values]);
  const keyId = (await createKey(db, { accountId })).keyId;
  const kept = documentRequest(templateId, { keyId, isKept: true, filename: mark });
  await acceptDocument(db, accountId, kept);
  const claim = await claimed(db, kept.id);
  const finished = finishedDocument(claim);
  await succeedDocument(db, claim, finished);
  await objects.put(finished.result.key, Buffer.from(`${mark} result`), 'application/pdf');
  const waiting = documentRequest(templateId, {
    format: 'pdf',
    pdfOptions: { password: `${mark}-password`, pages: '1' },
    renderOptions: { docx: { protection: { mode: 'readOnly', password: `${mark}-password` } } },
  });
  await acceptDocument(db, accountId, waiting);
  const { batchId } = await newBatch(db, objects, account, { rows: [{ word: mark }, { word: 'x' }] });
  const email = { to: [`${mark}@inbox.example`], cc: [], bcc: [], subject: null, body: null };
  await objects.put(
    `batches/${accountId}/${batchId}/input-private`,
    Buffer.from(`${JSON.stringify({ row: 1, password: `${mark}-password`, email })}\n`),
    'application/x-ndjson',
  );
  const evidence = `quarantine/${accountId}/${mark}/att_1.docx`;
  await objects.put(evidence, Buffer.from(mark), 'application/octet-stream');
  await run(`insert into key_spending select $2, '2026-11-01', 1 where $1 <> ''`, keyId);
  await run(`insert into key_use values ($2, '2026-11-01', 'generate', $1, 3, now(), now())`, keyId);
  await run(`insert into document_months (account_id, month, documents) values ($1, '2026-01-01', 7)`);
  await run(
    `insert into ledger_months (account_id, allowance_id, month, settled) values ($1, $2, '2026-01-01', 7)`,
    mark,
  );
  await run(`insert into usage_days values ($1, '2026-10-01', $2, $3, 1, 2, 3, 0, 0)`, templateId, keyId);
  await run(
    `insert into template_thumbnails (template_id, version, png, checksum) select $2, 1, $3, 'sum' where $1 <> ''`,
    templateId,
    Buffer.from(mark),
  );
  await run(
    `insert into layout_proofs (template_id, version, layout_key) select $2, 1, 'key' where $1 <> ''`,
    templateId,
  );
  await run(`insert into golden_data select $2, 'case', $3 where $1 <> ''`, templateId, Buffer.from(`{"a":"${mark}"}`));
  await run(
    `insert into assets values ($2, $1, 'logo', 'png', $3, 4, 'sum', 1, 1, now(), now())`,
    `ast_${mark}`,
    `assets/${accountId}/ast_${mark}/gone.png`,
  );
  await objects.put(`fonts/${accountId}/fnt_${mark}/one.ttf`, Buffer.from('font'), 'font/ttf');
  await run(
    `insert into fonts (id, account_id, name, family, family_key, family_names, full_name, style, format, embedding, glyphs, coverage,
      size_bytes, checksum, object_key, object_checksum, created_at, updated_at) values
      ($2, $1, 'f', 'f', 'f', '[]', 'f', 'regular', 'truetype', 'editable', 1, '[1,2]', 4, 's', $3, 's', now(), now())`,
    `fnt_${mark}`,
    `fonts/${accountId}/fnt_${mark}/one.ttf`,
  );
  await run(
    `insert into dictionaries (id, account_id, words, size_bytes, checksum, created_at) values ($2, $1, $3, 9, 's', now())`,
    `dic_${mark}`,
    JSON.stringify({ de: { total: mark } }),
  );
  await run(`insert into email_counts (day, account_id, recipient, messages) values (current_date, $1, '', 1)`);
  await run(
    `insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
      values ($2, $1, $3, 'sent', 'm', $4, now(), now())`,
    `dlv_${mark}`,
    kept.id,
    JSON.stringify([{ address: `${mark}@inbox.example`, status: 'sent' }]),
  );
  await run(
    `insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, previous_secret, created_at, updated_at)
      values ($2, $1, 'endpoint', 'https://hooks.example', '[]', 'enabled', $3, $3, now(), now())`,
    `whk_${mark}`,
    `whsec_${mark}`,
  );
  await run(
    `insert into webhook_events (id, account_id, type, data, created_at) values ($2, $1, 'document.succeeded', '{"n":1}', now())`,
    `evt_${mark}`,
  );
  await run(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at)
      values ($2, $1, $3, $4, 't', 'pending', now(), now())`,
    `whd_${mark}`,
    `evt_${mark}`,
    `whk_${mark}`,
  );
  await run(`insert into batch_in_flight_rows values ($2, $3, $1, 'docx', 1, 1, now())`, `doc_${mark}`, batchId);
  await run(`insert into batch_shares (account_id, format) values ($1, 'docx')`);
  await run(
    `insert into idempotency_keys values ($1, $2, 'POST', 'h', 'r', $3, now(), now())`,
    `key ${mark}`,
    JSON.stringify({ text: `whsec_${mark}` }),
  );
  await run(
    `insert into conversion_failures (fingerprint, account_id, failures, generation_id, template_id, template_version, reason, evidence_key)
      values ($2, $1, 2, $3, $4, 1, 'conversion_timeout', $5)`,
    mark,
    kept.id,
    templateId,
    evidence,
  );
  await run(
    `insert into template_failures values ($2, 1, $1, $3, 'conversion_timeout', 1, 0, null, now(), now())`,
    templateId,
    kept.id,
  );
  await run(`insert into pauses select 'account:' || $1, true, now()`);
  await run(
    `insert into audit_log (id, actor, os_user, host, action, account_id, options, outcome)
      values ($2, 'Operator Olga', 'olga', 'host', 'create-key', $1, '{}', 'succeeded')`,
    `aud_${mark}`,
  );
  return { ...account, resultKey: finished.result.key, evidence };
}

const ndjson = (folder: string, file: string): { readonly [property: string]: unknown; readonly data?: unknown }[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

it('an export has all rows and objects of one account, nothing of another, no secret, and correct checksums', async () => {
  const { objects } = await newWorkerDeps(db, url);
  const own = await fill(objects, 'markone');
  await fill(objects, 'marktwo');
  const folder = join(temporaryFolder(), 'new', 'export');
  const result = await exportAccount({ db, objects }, own.accountId, folder);
  expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(result);

  // Each table of the database is exported, with as many rows as it has, or contains no data of accounts.
  const kinds = new Map(Object.entries(exportedTables).map(([kind, { table }]) => [getTableName(table), kind]));
  const { rows: tables } = await pool.query<{ name: string; is_owned: boolean }>(
    `select c.relname as name, exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id') as is_owned
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...kinds.keys(), ...ofTheService].sort());
  const rowsOf = (kind = '') => result.files.find(({ file }) => file === `${kind}.ndjson`)?.rows;
  for (const { name, is_owned } of tables.filter(({ name }) => kinds.has(name))) {
    expect(rowsOf(kinds.get(name)), name).toBeGreaterThan(0);
    if (!is_owned) continue;
    const { rows } = await pool.query(`select count(*)::int as n from ${name} where account_id = $1`, [own.accountId]);
    expect(rowsOf(kinds.get(name)), name).toBe(rows[0]?.n);
  }
  expect([rowsOf('documents'), rowsOf('batch-rows')]).toEqual([4, 2]);
  expect(ndjson(folder, 'documents.ndjson').find(({ format }) => format === 'pdf')).toMatchObject({
    acceptedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    pdfOptions: { pages: '1' },
  });
  const [golden] = ndjson(folder, 'golden-data.ndjson');
  expect(Buffer.from(String(golden?.data), 'base64').toString()).toBe('{"a":"markone"}');

  // The objects are those of the rows, the data of the batch, and its e-mails without the password.
  const copied = ndjson(folder, 'objects.ndjson').map(({ key }) => String(key));
  expect(copied).toEqual(expect.arrayContaining([own.resultKey, own.evidence]));
  expect(copied).toHaveLength(5);
  expect(result.objects).toBe(5);
  expect(readFileSync(join(folder, 'objects', own.resultKey), 'utf8')).toBe('markone result');
  const lost = ndjson(folder, 'missing-objects.ndjson').map(({ kind }) => kind);
  expect(lost.sort()).toEqual(['pictures', 'template-versions']);
  for (const { key, sha256, sizeBytes } of ndjson(folder, 'objects.ndjson')) {
    const file = join(folder, 'objects', String(key));
    expect([digest(file), statSync(file).size]).toEqual([sha256, sizeBytes]);
  }
  for (const { file, sha256, sizeBytes } of result.files)
    expect([digest(join(folder, file)), statSync(join(folder, file)).size]).toEqual([sha256, sizeBytes]);

  const { rows: hashes } = await pool.query<{ hash: Buffer }>('select secret_hash as hash from api_keys');
  const secrets = ['marktwo', 'whsec_', '-password', 'Olga', 'olga'];
  secrets.push(...hashes.flatMap(({ hash }) => [hash.toString('hex'), hash.toString('base64')]));
  let found = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    expect((statSync(path).mode & 0o777).toString(8), path).toBe(entry.isDirectory() ? '700' : '600');
    if (entry.isDirectory()) continue;
    found++;
    const content = readFileSync(path, 'latin1');
    for (const secret of secrets) expect(content.includes(secret), `${secret} in ${path}`).toBe(false);
  }
  expect(found).toBe(result.files.length + result.objects + 1);
});

it('an export refuses a folder with content and a missing account, and can be repeated', async () => {
  const { objects } = await newWorkerDeps(db, url);
  const { accountId } = await newAccount(db, { docs: 1 });
  const folder = temporaryFolder();
  expect(await outcomeOf(exportAccount({ db, objects }, `acc_${'0'.repeat(26)}`, folder))).toBe('not_found');
  const first = await exportAccount({ db, objects }, accountId, folder);
  expect(await outcomeOf(exportAccount({ db, objects }, accountId, folder))).toBe('invalid_request');
  const again = await exportAccount({ db, objects }, accountId, temporaryFolder());
  const sums = ({ files }: AccountExport) => files.map(({ file, sha256 }) => `${file} ${sha256}`);
  expect(sums(again)).toEqual(sums(first));
});

it('the audit log records the start and the end of the command, without the folder', async () => {
  const { config } = await newWorkerDeps(db, url);
  const { accountId } = await newAccount(db, { docs: 1 });
  const line = ['export-account', '--account', accountId, '--out', temporaryFolder()];
  const run = () => adminOn({ db, url })(...line);
  expect(await withEnvironment(storageVariables(config), run)).toMatchObject({ accountId });
  const { rows } = await pool.query('select outcome, options from audit_log where account_id = $1 order by id', [
    accountId,
  ]);
  expect(rows).toEqual(['started', 'succeeded'].map((outcome) => ({ outcome, options: { account: accountId } })));
});
