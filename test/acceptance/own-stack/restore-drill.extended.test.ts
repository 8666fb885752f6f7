import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openFolder, serviceVariables, startBackingServices } from '../../../tools/local/backing-services.ts';
import type { ApiClient } from '../../support/client/api-client.ts';
import { createMailbox } from '../../support/client/mailbox.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { violations } from '../../support/domain/invariants.ts';
import { type LocalStack, patientLimits, type StackLine, startLocalStack } from '../../support/services/local-stack.ts';
import { systemPostgresPrograms } from '../../support/services/system-postgres.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { address, letter } from '../api/samples.ts';
import { lines, ndjson } from '../batches/batch-client.ts';

const run = promisify(execFile);
const parent = mkdtempSync(join(tmpdir(), 'docmill-drill-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const programs = systemPostgresPrograms();
const limits = {
  ...patientLimits,
  SWEEP_INTERVAL_MS: '2000',
  POSTGRES_PROGRAMS: programs,
};

function start(folder: string): LocalStack {
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', ...limits });
  onTestFinished(async () => void (await stack.stop()));
  return stack;
}

const script = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  run(`scripts/${name}`, args, { env: { ...process.env, ...limits, ...env, PATH: `${programs}:${process.env.PATH}` } });

interface Job {
  readonly id: string;
  readonly status: string;
}

/** Requests documents of every kind until it is stopped. `kept` has the bytes of the kept ones by job id. */
function load(client: ApiClient, template: string, recipient: string) {
  const kept = new Map<string, Buffer>();
  let isStopped = false;
  const loop = async (send: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) await send().catch(() => undefined);
  };
  const data = { name: 'Ada' };
  /** Requests a document for later and waits until it is produced. */
  const finish = async (output: object): Promise<string> => {
    const { id } = (await client.start(template, { data, output })).json<Job>();
    const state = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<Job>().status;
    await expect.poll(state, { interval: 200 }).toBe('succeeded');
    return id;
  };
  const loops = [
    loop(() => client.generate(template, { data })),
    loop(() => client.generate(template, { data, output: { email: { to: [recipient] } } })),
    loop(async () => {
      const id = await finish({});
      const content = await client.call('GET', `/v1/jobs/${id}/content`);
      if (content.status === 200) kept.set(id, content.bytes);
    }),
    // More than the workers produce at a time, so that some wait.
    ...Array.from({ length: 12 }, () => loop(() => finish({ format: 'pdf' }))),
  ];
  return {
    kept,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

/** Kills every process without warning, as if the machine were lost, and removes all stored data. */
async function destroy(stack: LocalStack, { pids }: StackLine, folder: string): Promise<void> {
  for (const pid of [pids.api, ...pids.workers, pids.postgres, pids.redis, pids.s3, pids.mail]) {
    process.kill(pid, 'SIGKILL');
  }
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts new services and restores the backup into them. */
async function restore(folder: string, backup: string): Promise<Readonly<Record<string, unknown>>> {
  const opened = await openFolder(folder, { ...process.env, ...limits }, () => undefined);
  try {
    const services = await startBackingServices(opened.context);
    const { stdout } = await script('restore', [backup], serviceVariables(services));
    // A second restore would mix two states.
    await expect(script('restore', [backup], serviceVariables(services))).rejects.toThrow('has tables already');
    return JSON.parse(stdout) as Record<string, unknown>;
  } finally {
    await opened.close();
  }
}

test('a service that is lost under load is restored from its backup, and the ledger balances', async () => {
  const [lost, found, backups] = [join(parent, 'lost'), join(parent, 'found'), join(parent, 'backups')];
  const first = start(lost);
  const before = await first.ready;
  const service = await useService(before);
  const client = await service.newClient({ docs: 5_000, templates: 10 });
  const { id: template } = await client.template('letter.docx', letter('Dear {name}'));
  const recipient = address('drill');
  const rows = lines(Array.from({ length: 24 }, () => ({ data: { name: 'Ada' } })));
  const sent = await client.call('POST', `/v1/templates/${template}/batches?format=pdf`, {
    body: rows,
    headers: ndjson,
  });
  expect(sent.status, sent.bytes.toString()).toBe(202);
  const batch = sent.json<{ id: string }>().id;
  const loaded = load(client, template, recipient);
  await expect.poll(() => loaded.kept.size).toBeGreaterThan(1);

  const metricsFile = join(parent, 'docmill_backup.prom');
  const env = { ...before.env, BACKUP_METRICS_FILE: metricsFile };
  const keptBefore = new Map(loaded.kept);
  const waiting = await service.newClient({ docs: 1 });
  const { id: later } = await waiting.template('letter.docx', letter('Dear {name}'));
  // The backup has at least one document in progress, even if the others are produced faster than they are requested.
  await whilePaused(before, service.operator, waiting.accountId, async () => {
    expect((await waiting.start(later, { data: {} })).status).toBe(202);
    await script('backup', [backups], env);
  });
  const [backup = ''] = readdirSync(backups);
  expect(readFileSync(metricsFile, 'utf8')).toMatch(/^docmill_backup_last_success_timestamp_seconds \d+/m);
  const late = (await client.start(template, { data: { name: 'late' } })).json<Job>().id;
  await loaded.stop();
  const mailbox = createMailbox(before.mailDir);
  await expect.poll(async () => (await mailbox.to(recipient)).length).toBeGreaterThan(0);
  await destroy(first, before, lost);

  const report = await restore(found, join(backups, backup));
  expect(report).toMatchObject({ ended: { batches: 0, documents: expect.any(Number) } });
  expect((report.ended as { documents: number }).documents).toBeGreaterThan(0);
  const second = start(found);
  const after = await second.ready;
  const again = (await useService(after)).clientOf(client.apiKey);

  // The batch continues where it was, and has each of its rows once.
  const stateOf = async () =>
    (await again.call('GET', `/v1/batches/${batch}`)).json<{ status: string; counts: object }>();
  await expect.poll(async () => (await stateOf()).status).toBe('completed');
  expect((await stateOf()).counts).toMatchObject({ succeeded: 24, failed: 0 });
  // Finished documents have the same bytes.
  for (const [id, bytes] of keptBefore) {
    expect((await again.call('GET', `/v1/jobs/${id}/content`)).bytes.equals(bytes)).toBe(true);
  }
  // Documents requested after the backup are unknown, and those in progress have ended.
  expect((await again.call('GET', `/v1/jobs/${late}`)).status).toBe(404);
  const pool = new pg.Pool({ connectionString: after.env.DATABASE_URL ?? '', max: 2 });
  // The server may stop while a connection still closes.
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  await expect.poll(() => violations(pool, { isQuiet: true })).toEqual([]);
  const { rows: sums } = await pool.query<{ charged: string; succeeded: string; failed: string }>(
    `select (select sum(docs_settled) from allowances where account_id = $1) as charged,
      count(*) filter (where account_id = $1 and status = 'succeeded') as succeeded,
      count(*) filter (where status = 'failed') as failed from generations`,
    [client.accountId],
  );
  expect(sums[0]?.charged).toBe(sums[0]?.succeeded);
  expect(Number(sums[0]?.failed)).toBe((report.ended as { documents: number }).documents);
  // The restored service has sent no e-mail, and it works.
  expect(await createMailbox(after.mailDir).to(recipient)).toEqual([]);
  expect((await again.generate(template, { data: { name: 'Grace' }, output: { format: 'pdf' } })).status).toBe(200);
}, 900_000);
