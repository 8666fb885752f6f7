import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  clearConversionFailures,
  countConversionFailures,
  recordConversionFailure,
} from '../../../../src/shared/domain/conversion-failures.ts';
import { removeTemplate } from '../../../../src/shared/domain/templates/remove-template.ts';
import { docxType } from '../../../../src/shared/storage/media-types.ts';
import type { WorkerDeps } from '../../../../src/worker/deps.ts';
import { processMaintenance } from '../../../../src/worker/processors/maintenance.ts';
import { newAccount, together } from '../../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { newWorkerDeps } from '../../../support/services/worker-deps.ts';

const { db, pool, url } = await useOwnDatabase();

/** Records a failure of a document with its file, as a worker does. */
async function fail(deps: WorkerDeps, account: { accountId: string; templateId: string }, fingerprint: string) {
  const evidenceKey = `quarantine/${account.accountId}/${fingerprint}/${randomUUID()}.docx`;
  await deps.objects.put(evidenceKey, Buffer.from('the filled document'), docxType);
  const failure = { fingerprint, ...account, generationId: 'doc_1', templateVersion: 1, reason: 'worker_lost' };
  await recordConversionFailure(db, { ...failure, evidenceKey, sizeBytes: 19 });
  return evidenceKey;
}

async function kept(deps: WorkerDeps): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deps.objects.list('quarantine/')) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}

const sweep = (deps: WorkerDeps) => together(3, () => processMaintenance(deps, { task: 'sweep' }));
const orphans = (deps: WorkerDeps) =>
  processMaintenance({ ...deps, config: { ...deps.config, ORPHAN_AGE_SECONDS: 0 } }, { task: 'orphans' });
const age = (column: string, table: string, days: number) =>
  pool.query(`update ${table} set ${column} = now() - make_interval(days => $1)`, [days]);

it('the file of a quarantined document is removed with its quarantine after the retention period', async () => {
  const deps = await newWorkerDeps(db, url);
  const account = await newAccount(db, { templates: 1 });
  const old = Array.from({ length: 120 }, () => randomUUID());
  for (const fingerprint of old) await fail(deps, account, fingerprint);
  await age('updated_at', 'conversion_failures', 15);
  const young = randomUUID();
  const youngKey = await fail(deps, account, young);
  await sweep(deps);
  expect(await kept(deps)).toEqual([youngKey]);
  expect(await countConversionFailures(db, old[0] ?? '')).toBe(0);
  expect(await countConversionFailures(db, young)).toBe(1);
});

it('a lifted quarantine, and a failure after another, leave no file behind', async () => {
  const deps = await newWorkerDeps(db, url);
  const account = await newAccount(db, { templates: 1 });
  const [lifted, repeated] = [randomUUID(), randomUUID()];
  await fail(deps, account, lifted);
  await fail(deps, account, repeated);
  const latest = await fail(deps, account, repeated);
  await clearConversionFailures(db, lifted);
  await orphans(deps);
  expect(await kept(deps)).toEqual([latest]);
});

it('the files of a template are removed with it', async () => {
  const deps = await newWorkerDeps(db, url);
  const [gone, other] = [await newAccount(db, { templates: 1 }), await newAccount(db, { templates: 1 })];
  const fingerprint = randomUUID();
  await fail(deps, gone, fingerprint);
  const othersKey = await fail(deps, other, randomUUID());
  await removeTemplate(db, gone.accountId, gone.templateId);
  await pool.query(`update templates set deleted_at = now() - interval '1 hour' where deleted_at is not null`);
  await sweep(deps);
  expect(await kept(deps)).toEqual([othersKey]);
  expect(await countConversionFailures(db, fingerprint)).toBe(0);
});
