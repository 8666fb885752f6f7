import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { openAccount } from '../../faults/client/account.ts';
import { letter } from '../../faults/client/templates.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { fillHistory } from '../../support/upgrade/fill-history.ts';
import { documentsOf, startLoad } from '../../support/upgrade/load.ts';
import { writeReleaseMigrations } from '../../support/upgrade/typical-migrations.ts';
import { useReplicas } from '../../support/upgrade/use-replicas.ts';

async function uploadTemplate(url: string, apiKey: string): Promise<string> {
  const form = new FormData();
  form.set('name', 'letter.docx');
  form.set('file', new Blob([new Uint8Array(letter)]), 'letter.docx');
  const headers = { Authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${url}/v1/templates`, { method: 'POST', body: form, headers });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('no call fails and every document is charged once while typical migrations run on 100,000 documents', async () => {
  const { db, pool, url } = await useOwnDatabase();
  const history = await openAccount(db, {});
  await fillHistory(pool, history.accountId, 100_000, 3);
  const replicas = await useReplicas(url);
  const old = await Promise.all([replicas.start('api'), replicas.start('worker')]);
  const account = await openAccount(db, { credits: 100_000 });
  const templateId = await uploadTemplate(replicas.next(), account.apiKey);
  const { apiKey } = account;
  const kinds = ['docx', 'list', 'email', 'job', 'quotas'] as const;
  const load = startLoad({ url: () => replicas.next(), apiKey, templateId, clients: 4, pauseMs: 20, kinds });
  const migrations = join(replicas.folder, 'migrations');
  writeReleaseMigrations(migrations, 'with typical ones');
  const lines: string[] = [];
  const run = { folder: migrations, report: (line: string) => lines.push(line) };
  expect((await migrateDatabase(url, run)).contracts).toEqual(['9004_contract']);
  await Promise.all([replicas.start('api'), replicas.start('worker')]);
  for (const process of old) await replicas.stop(process);
  await migrateDatabase(url, { ...run, isContracting: true });
  const calls = await load.stop();
  expect(calls.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(calls.length).toBeGreaterThan(50);
  const charges = 'select kind, count(*)::int as n from ledger where account_id = $1 group by 1 order by 1';
  const settled = async () => (await pool.query(charges, [account.accountId])).rows;
  const documents = documentsOf(calls);
  await expect.poll(settled).toEqual([
    { kind: 'reserve', n: documents },
    { kind: 'settle', n: documents },
  ]);
});

test('processes on an empty database are not ready and respond with 503 until it is migrated', async () => {
  const { db, url } = await useOwnDatabase({ isEmpty: true });
  const replicas = await useReplicas(url);
  const [api, worker] = await Promise.all([replicas.spawn('api'), replicas.spawn('worker')]);
  for (const process of [api, worker]) {
    await expect
      .poll(async () => JSON.parse((await process.readiness().catch(() => ({ body: '{}' }))).body))
      .toMatchObject({ status: 'unavailable', checks: { database: true, schema: false, redis: true } });
  }
  const headers = { Authorization: `Bearer dts_${'a'.repeat(16)}_${'b'.repeat(40)}` };
  const answer = await fetch(`${api.url}/v1/account/quotas`, { headers });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await answer.json()).toEqual({ error: { status: 503, message: expect.stringContaining('upgraded') } });
  await migrateDatabase(url);
  await Promise.all([api.ready(), worker.ready()]);
  const { apiKey } = await openAccount(db, {});
  await expect(uploadTemplate(api.url, apiKey)).resolves.toMatch(/^tpl_/);
});
