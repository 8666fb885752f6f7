import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { readMigrations } from '../../src/shared/db/migrations/read-migrations.ts';
import { letter } from '../../test/faults/client/templates.ts';
import { fillHistory } from '../../test/support/upgrade/fill-history.ts';
import { type Call, documentsOf, startLoad } from '../../test/support/upgrade/load.ts';
import { openReplicas, type Replicas } from '../../test/support/upgrade/replicas.ts';
import { writeReleaseMigrations } from '../../test/support/upgrade/typical-migrations.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { atMost, closeFrame, type Figure, figure, isReached, openFrame, publish } from '../harness/report.ts';
import { type BenchServices, startBenchServices, uploadTemplate } from '../harness/stack.ts';
import { type LockReport, watchLocks } from './watch-locks.ts';

/**
 * Measures an upgrade under load. Fills a database with documents and their ledger. Then, while clients call, runs the
 * repository's newer migrations beside the old release, starts this release, stops the old one, and runs typical
 * migrations and their contracts. `--rows` sets the number of documents (default: ten million). `--old` sets the commit
 * of the old release (default: the one before the newest migration).
 */
const options = readOptions({ rounds: 1, quickRounds: 1, values: ['rows', 'old'] });
const rows = Number(options.values.rows ?? (options.quick ? 100_000 : 10_000_000));
const months = 6;
const clients = 4;

interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly locks: LockReport;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8' }).trim();
}

/** The last commit without the newest migration. */
function findOldCommit(newest: string): string {
  return git('log', '--diff-filter=A', '-1', '--format=%h~', '--', `drizzle/${newest}.sql`);
}

/** The newest migration of a commit. */
function lastMigrationOf(commit: string): string {
  const journal = JSON.parse(git('show', `${commit}:drizzle/meta/_journal.json`)) as { entries: { tag: string }[] };
  return journal.entries.at(-1)?.tag ?? '';
}

/** A checkout of another commit with its own build, and the packages of this one. */
function checkOut(commit: string, folder: string): string {
  const release = join(folder, 'old-release');
  git('worktree', 'add', '--quiet', '--detach', release, commit);
  symlinkSync(join(projectFolder, 'node_modules'), join(release, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: release, stdio: 'inherit' });
  return release;
}

/**
 * Creates an account with the old release's commands, because this release's code uses columns that do not exist yet.
 */
function openAccount(release: string, databaseUrl: string): string {
  const admin = (...args: readonly string[]): Readonly<Record<string, unknown>> => {
    const program = ['--import', 'tsx', 'src/admin/main.ts', ...args, '--json'];
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    return JSON.parse(execFileSync(process.execPath, program, { cwd: release, env, encoding: 'utf8' }));
  };
  const account = String(admin('create-account', '--name', 'load').accountId);
  admin('grant-credits', '--account', account, '--docs', '1000000', '--templates', '10');
  return String(admin('create-key', '--account', account).apiKey);
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** Creates the rows without durability, because they need not survive a crash. */
async function fill(backing: BenchServices, pool: pg.Pool, accountId: string): Promise<void> {
  const setDurable = async (isDurable: boolean): Promise<void> => {
    await pool.query(`alter system set fsync = ${isDurable ? 'on' : 'off'}`);
    await pool.query(`alter system set max_wal_size = ${isDurable ? `'1GB'` : `'8GB'`}`);
    await pool.query('select pg_reload_conf()');
  };
  say(`making ${rows} documents in ${backing.folder}`);
  await setDurable(false);
  await fillHistory(pool, accountId, rows, months);
  await setDurable(true);
  await pool.query('checkpoint');
}

async function measure() {
  const newest = readMigrations().at(-1)?.tag ?? '';
  const commit = options.values.old ?? findOldCommit(newest);
  const before = lastMigrationOf(commit);
  const backing = await startBenchServices(
    {
      WORKER_QUEUES: 'docx,pdf,inspect,mail,maintenance',
      RENDER_PROCESSES: '1',
      OFFICE_SLOTS: '1',
      OFFICE_START_TIMEOUT_MS: '110000',
      WAIT_LIMIT_MS: '110000',
    },
    { isMigrated: false },
  );
  const { databaseUrl } = backing.services.postgres;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const oldMigrations = join(backing.folder, 'migrations-before');
  const allMigrations = join(backing.folder, 'migrations-typical');
  writeReleaseMigrations(oldMigrations, { last: before });
  writeReleaseMigrations(allMigrations, 'with typical ones');
  let replicas: Replicas | undefined;
  try {
    say(`building the old release, ${commit}`);
    const release = checkOut(commit, backing.folder);
    await migrateDatabase(databaseUrl, { folder: oldMigrations });
    await pool.query(`insert into accounts (id, name) values ('acc_history', 'history')`);
    await fill(backing, pool, 'acc_history');
    const { size } =
      (await pool.query<{ size: string }>('select pg_database_size(current_database()) as size')).rows[0] ?? {};
    mkdirSync(join(backing.folder, 'replicas'));
    replicas = openReplicas(join(backing.folder, 'replicas'), backing.variables);
    const running = replicas;
    const old = [await running.start('api', release), await running.start('worker', release)];
    const apiKey = openAccount(release, databaseUrl);
    const templateId = await uploadTemplate(running.next(), apiKey, 'letter.docx', letter);
    const load = startLoad({
      url: () => running.next(),
      apiKey,
      templateId,
      clients,
      pauseMs: 50,
      kinds: ['docx', 'list', 'email', 'pdf', 'job', 'docx', 'quotas'],
    });
    const stages: Stage[] = [];
    const stage = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      say(name);
      const locks = await watchLocks(databaseUrl);
      const startedAt = performance.now();
      await work();
      const seconds = (performance.now() - startedAt) / 1_000;
      stages.push({ name, seconds, locks: await locks.stop() });
    };
    const report = say;
    await stage(`migrate from ${before} to ${newest} beside the old release`, () =>
      migrateDatabase(databaseUrl, { report }),
    );
    await stage('start this release beside the old one', async () => {
      await running.start('api');
      await running.start('worker');
    });
    await stage('stop the old release', async () => {
      for (const process of old) await running.stop(process);
    });
    await stage('migrate the typical migrations', () =>
      migrateDatabase(databaseUrl, { folder: allMigrations, report }),
    );
    await stage('contract', () => migrateDatabase(databaseUrl, { folder: allMigrations, isContracting: true, report }));
    const calls = await load.stop();
    const documents = documentsOf(calls);
    const { settled } = await waitForSettled(pool, documents);
    return { commit, sizeGb: Number(size) / 1e9, stages, calls, documents, settled };
  } finally {
    await replicas?.close();
    await pool.end();
    execFileSync('git', ['worktree', 'remove', '--force', join(backing.folder, 'old-release')], { cwd: projectFolder });
    await backing.close();
    rmSync(backing.folder, { recursive: true, force: true });
  }
}

/** Jobs and e-mails end after the response. */
async function waitForSettled(pool: pg.Pool, documents: number): Promise<{ readonly settled: number }> {
  for (let attempt = 0; ; attempt++) {
    const { rows: found } = await pool.query<{ n: number }>(
      `select count(*)::int as n from ledger where kind = 'settle' and allowance_id <> 'alw_history'`,
    );
    const settled = found[0]?.n ?? 0;
    if (settled === documents || attempt > 300) return { settled };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function percentile(calls: readonly Call[], share: number): number {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const frame = openFrame('upgrade', ['LibreOffice', 'Redis'], ['pg']);
const { commit, sizeGb, stages, calls, documents, settled } = await measure();
const failed = calls.filter(({ problem }) => problem !== undefined);
const figures: readonly Figure[] = [
  figure('calls that failed', '', [failed.length], atMost(0)),
  figure('documents charged other than once', '', [Math.abs(settled - documents)], atMost(0)),
  figure(
    'longest wait for a lock of a table or index',
    'ms',
    [Math.max(...stages.map(({ locks }) => locks.relationMs))],
    atMost(1_000),
  ),
];
const lines = [
  `${rows} documents and ${2 * rows} entries of the ledger, ${sizeGb.toFixed(1)} GB; old release ${commit}`,
  `${calls.length} calls of ${clients} clients, ${documents} documents; ms: median ${percentile(calls, 0.5).toFixed(0)}, 99 % ${percentile(calls, 0.99).toFixed(0)}, slowest ${percentile(calls, 1).toFixed(0)}`,
  ...stages.map(
    ({ name, seconds, locks }) =>
      `${name}: ${seconds.toFixed(1)} s; longest wait for a table ${locks.relationMs.toFixed(0)} ms (${locks.relation ?? 'none'}), for any lock ${locks.anyMs.toFixed(0)} ms; longest pause of the machine ${locks.pausedMs.toFixed(0)} ms`,
  ),
  ...failed.slice(0, 10).map(({ kind, status, problem }) => `failed: ${kind} ${status} ${problem ?? ''}`),
];
publish(closeFrame(frame, { rows, months, clients }, figures, { stages, calls }), options, lines);
if (!figures.every(isReached)) process.exitCode = 1;
