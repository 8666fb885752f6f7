import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { makePartitions } from './make-partitions.ts';
import { runIndexStatement } from './migrations/build-index.ts';
import { parseIndexStatement } from './migrations/index-statement.ts';
import {
  type AppliedMigrations,
  createRecords,
  readApplied,
  readStatements,
  recordMigration,
  recordStatement,
  requireMigration,
} from './migrations/progress.ts';
import { type Migration, readMigrations } from './migrations/read-migrations.ts';
import { openSession, type Session } from './migrations/session.ts';

export interface MigrateOptions {
  /** The folder with the migrations. Default: those of this release. */
  readonly folder?: string | undefined;
  /** True to also run migrations that remove what older releases use. An empty database always gets them. */
  readonly isContracting?: boolean | undefined;
  /** How long a statement waits for a lock before it is retried. Default: 500 ms. */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * How long one statement is retried, and how long to wait for another run of migrations. Default: ten minutes and one
   * hour.
   */
  readonly patienceMs?: number | undefined;
  readonly otherRunMs?: number | undefined;
  /** Receives a line for each statement that waits. */
  readonly report?: ((line: string) => void) | undefined;
}

export interface MigrateResult {
  /** The names of the migrations that this run finished. */
  readonly applied: readonly string[];
  /** Pending migrations that remove what older releases use. They run only with `isContracting`. */
  readonly contracts: readonly string[];
}

/** The lock id that Drizzle's migrator used in this project, so that only one run is active at a time. */
const lockId = 0x646f636d;
const pollEveryMs = 250;

/**
 * Applies pending migrations. Each statement runs in its own transaction, together with its record, so that another run
 * can resume after a crash. Then creates the partitions of the coming months. Concurrent callers wait for each other.
 * See docs/operations/upgrades.md.
 */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<MigrateResult> {
  const migrations = readMigrations(options.folder);
  let statement = '';
  const report = (line: string): void => options.report?.(`${statement}${line}`);
  const limits = { lockTimeoutMs: options.lockTimeoutMs ?? 500, patienceMs: options.patienceMs ?? 600_000 };
  const session = await openSession(url, limits, report);
  try {
    await waitForOtherRuns(session, options.otherRunMs ?? 3_600_000, report);
    await session.run(createRecords);
    const applied = await readApplied(session.client);
    const { pending, contracts } = planMigrations(migrations, applied, options.isContracting);
    for (const migration of pending) {
      await applyMigration(session, migration, migrations, (position) => {
        statement = `${migration.tag}, statement ${position} of ${migration.statements.length}: `;
      });
    }
    statement = '';
    if (options.folder === undefined) await makePartitions(session.client);
    return { applied: pending.map(({ tag }) => tag), contracts: contracts.map(({ tag }) => tag) };
  } catch (error) {
    throw statement === '' || !(error instanceof Error)
      ? error
      : new Error(`${statement}${error.message}`, { cause: error });
  } finally {
    await session.close();
  }
}

export interface MigrationPlan {
  readonly pending: readonly Migration[];
  /** Migrations that wait for `isContracting`. */
  readonly contracts: readonly Migration[];
}

/** Throws if a migration was changed after it was applied. */
export function planMigrations(
  migrations: readonly Migration[],
  { hashes }: AppliedMigrations,
  isContracting = false,
): MigrationPlan {
  for (const { tag, writtenAtMs, hash } of migrations) {
    if ((hashes.get(writtenAtMs) ?? hash) !== hash) {
      throw new Error(
        `${tag} was changed after this database had applied it: undo the change, and write a new migration`,
      );
    }
  }
  const missing = migrations.filter(({ writtenAtMs }) => !hashes.has(writtenAtMs));
  // A new database has no processes of older releases.
  const isHeld = ({ contract }: Migration): boolean => contract !== undefined && !isContracting && hashes.size > 0;
  return { pending: missing.filter((one) => !isHeld(one)), contracts: missing.filter(isHeld) };
}

/**
 * Polls, because a session that waits inside a statement would block `CREATE INDEX CONCURRENTLY`, which waits for all
 * statements.
 */
async function waitForOtherRuns({ client }: Session, limitMs: number, report: (line: string) => void): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let isReported = false; ; isReported = true) {
    const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_lock($1) as "isLocked"', [
      lockId,
    ]);
    if (rows[0]?.isLocked === true) return;
    if (!isReported) report('another run of migrate works on this database; waiting for it');
    if (performance.now() > deadline) {
      throw new Error(
        `another run of migrate has not ended within ${Math.round(limitMs / 1_000)} s: run migrate again later`,
      );
    }
    await delay(pollEveryMs);
  }
}

async function applyMigration(
  session: Session,
  migration: Migration,
  all: readonly Migration[],
  onStatement: (position: number) => void,
): Promise<void> {
  const records = new Map((await readStatements(session.client, migration)).map((record) => [record.position, record]));
  if (migration.contract !== undefined) await session.run(requireMigration(neededBy(migration, all).writtenAtMs));
  for (const [index, statement] of migration.statements.entries()) {
    const position = index + 1;
    onStatement(position);
    const hash = createHash('sha256').update(statement).digest('hex');
    const record = records.get(position);
    const isSame = record?.hash === hash;
    if (record?.isFinished === true && !isSame) {
      throw new Error('it was changed after this database had applied it: undo the change');
    }
    if (record?.isFinished === true) continue;
    const indexStatement = parseIndexStatement(statement);
    if (indexStatement === undefined) {
      await session.runLocked(statement, [recordStatement(migration, position, hash, true)]);
    } else {
      await session.run(recordStatement(migration, position, hash, false));
      await runIndexStatement(session, indexStatement, isSame);
      await session.run(recordStatement(migration, position, hash, true));
    }
  }
  await session.run(recordMigration(migration));
}

function neededBy({ tag, contract }: Migration, all: readonly Migration[]): Migration {
  const needed = all.find((one) => one.tag === contract?.needs);
  if (needed === undefined) throw new Error(`${tag} needs ${contract?.needs}, which is not a migration`);
  return needed;
}
