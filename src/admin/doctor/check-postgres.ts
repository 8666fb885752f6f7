import { loadAdminConfig, loadDirectPdf, loadSealingKeys } from '../../shared/config/load-config.ts';
import { type Database, openDatabase } from '../../shared/db/client.ts';
import { readSchemaState } from '../../shared/db/schema-state.ts';
import { countProofs } from '../../shared/domain/templates/count-proofs.ts';
import { findMissingKeys } from '../../shared/domain/webhooks/find-missing-keys.ts';
import { createSecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import { listWorkers } from '../../shared/domain/workers.ts';
import { createLogger } from '../../shared/logger.ts';
import { compareClock, type Finding, failed, ok, reasonOf, warning } from './finding.ts';
import { tryPostgres } from './try-postgres.ts';

const minVersion = 140_000;
const slowMs = 20;

interface ServerFacts {
  readonly version: string;
  readonly version_number: number;
  readonly max_connections: number;
  readonly reserved: number;
  readonly used: number;
  readonly is_replica: boolean;
  readonly unsafe: readonly string[];
}

/** Checks the version, settings, latency, connections, schema and clock of PostgreSQL. */
export async function checkPostgres(): Promise<readonly Finding[]> {
  const config = loadAdminConfig();
  const { db, close } = openDatabase(
    { url: config.DATABASE_URL, poolSize: 1, timeoutMs: config.DATABASE_TIMEOUT_MS, applicationName: 'docmill-doctor' },
    createLogger('silent', 'doctor'),
  );
  try {
    const facts = await readFacts(db);
    const latencyMs = await measureMs(() => db.$client.query('select 1'));
    const schema = await checkSchema(db);
    return [
      checkServer(facts, latencyMs),
      ...checkSettings(facts),
      schema,
      ...(schema.status === 'ok'
        ? [await tryPostgres(db), await checkSealingKeys(db), await checkDirectLayout(db)]
        : []),
      checkConnections(facts, config.DATABASE_POOL_SIZE, await countWorkers(db)),
      await checkClock(db),
    ];
  } catch (error) {
    const fix = 'Check the host, user, password and database in DATABASE_URL, and pg_hba.conf of the server';
    return [failed('postgresql', `no connection: ${reasonOf(error)}`, fix)];
  } finally {
    await close();
  }
}

async function readFacts(db: Database): Promise<ServerFacts> {
  const { rows } = await db.$client.query<ServerFacts>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      current_setting('max_connections')::int as max_connections,
      current_setting('superuser_reserved_connections')::int as reserved,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      pg_is_in_recovery() as is_replica,
      array(select name || ' = ' || setting from pg_settings
        where name in ('fsync', 'full_page_writes', 'autovacuum') and setting = 'off') as unsafe`,
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server returned no settings');
  return facts;
}

function checkServer({ version, version_number, is_replica }: ServerFacts, latencyMs: number): Finding {
  const check = 'postgresql';
  if (version_number < minVersion)
    return failed(check, `version ${version} is older than 14`, 'Upgrade PostgreSQL to 14 or newer');
  if (is_replica) return failed(check, 'the server is a read-only replica', 'Point DATABASE_URL at the primary server');
  if (latencyMs > slowMs)
    return warning(
      check,
      `version ${version} answers in ${latencyMs.toFixed(1)} ms; each document needs several round trips`,
      'Run the service in the same network zone as PostgreSQL',
    );
  return ok(check, `version ${version} answers in ${latencyMs.toFixed(1)} ms`);
}

function checkSettings({ unsafe }: ServerFacts): Finding[] {
  if (unsafe.length === 0) return [ok('postgresql settings', 'committed documents survive a crash of the server')];
  const message = `${unsafe.join(', ')}: the database loses data in a crash, or grows without limit`;
  return [warning('postgresql settings', message, 'Remove these settings from postgresql.conf and reload it')];
}

async function checkSchema(db: Database): Promise<Finding> {
  const state = await readSchemaState(db);
  if (state.kind === 'current') return ok('schema', 'up to date with this release');
  return failed('schema', state.problem, 'Run admin migrate with this release; see docs/operations/upgrades.md');
}

/** Finds webhooks whose secrets are sealed with a key that the service no longer has: they cannot be delivered. */
async function checkSealingKeys(db: Database): Promise<Finding> {
  const check = 'keys of webhook secrets';
  const missing = await findMissingKeys(db, createSecretBox(loadSealingKeys()));
  if (missing.length === 0) return ok(check, 'every stored secret can be opened');
  const lists = missing.map(({ key_id: keyId, webhooks }) => `${keyId} (${webhooks})`).join(', ');
  return failed(
    check,
    `WEBHOOK_SECRET_KEY lacks keys that sealed stored secrets: ${lists}; these webhooks are not delivered`,
    'Add the previous keys after the new one in WEBHOOK_SECRET_KEY, separated by commas, then run admin reseal',
  );
}

/** Whether templates are compared, so that their PDFs may be laid out without LibreOffice. */
async function checkDirectLayout(db: Database): Promise<Finding> {
  const check = 'direct layout';
  if (loadDirectPdf() === 'off') return ok(check, 'turned off (DIRECT_PDF=off): LibreOffice lays out all PDFs');
  const { direct, office, delayed, failed: uncompared } = await countProofs(db);
  if (delayed > 0)
    return warning(
      check,
      `template versions that have waited ten minutes or longer for the comparison of their pages: ${delayed}`,
      'Check that a PDF worker runs with DIRECT_PDF=on and has time without callers, and look for "could not be compared" in its log',
    );
  if (uncompared > 0)
    return warning(
      check,
      `template versions that LibreOffice lays out because their pages could not be compared: ${uncompared}`,
      'Look for "the pages of a template cannot be compared" in the logs of the PDF workers; a new version or release is compared again',
    );
  return ok(check, `turned on; template versions that are laid out directly: ${direct}, by LibreOffice: ${office}`);
}

/** Counts live workers; an older schema lacks the workers table. */
async function countWorkers(db: Database): Promise<number> {
  const workers = await listWorkers(db).catch(() => []);
  return workers.filter(({ isLive }) => isLive).length;
}

/** Assumes that all pools are full at once: those of the live workers (at least one) and of two API processes. */
function checkConnections(facts: ServerFacts, poolSize: number, workers: number): Finding {
  const { max_connections, reserved, used } = facts;
  const available = max_connections - reserved;
  const processes = Math.max(1, workers) + 2;
  const needed = processes * poolSize;
  const message = `${processes} processes with ${poolSize} connections each may need ${needed} of ${available}; ${used} are in use`;
  const fix = 'Raise max_connections, lower DATABASE_POOL_SIZE, or use a pooler such as PgBouncer';
  if (poolSize > available) return failed('postgresql connections', message, fix);
  return needed > available ? warning('postgresql connections', message, fix) : ok('postgresql connections', message);
}

async function checkClock(db: Database): Promise<Finding> {
  const before = Date.now();
  const { rows } = await db.$client.query<{ readonly ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return compareClock('clock of postgresql', rows[0]?.ms ?? 0, before - 1, Date.now() + 1);
}

/** The best of three attempts, so that a pause of this machine does not count. */
async function measureMs(work: () => Promise<unknown>): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 3; count++) {
    const startedAt = performance.now();
    await work();
    bestMs = Math.min(bestMs, performance.now() - startedAt);
  }
  return bestMs;
}
