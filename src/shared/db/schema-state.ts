import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { ReadinessCheck } from '../readiness.ts';
import type { Database } from './client.ts';
import {
  type AppliedMigrations,
  areRecordsMissing,
  type RecordRow,
  readRecords,
  toApplied,
} from './migrations/progress.ts';
import { type Migration, readMigrations } from './migrations/read-migrations.ts';

/** How the schema of a database compares with what this release needs. */
export type SchemaState =
  | { readonly kind: 'current' }
  | {
      /**
       * `empty`: no migration was ever applied. `older`: some are missing. `changed`: one differs from this release's
       * file. `newer`: something that this release uses was removed.
       */
      readonly kind: 'empty' | 'older' | 'changed' | 'newer';
      /** The problem and its remedy, for operators. */
      readonly problem: string;
    };

let ofRelease: readonly Migration[] | undefined;

/**
 * Compares the database with the migrations of this release, in one short query. Throws if PostgreSQL is unreachable.
 */
export async function readSchemaState(db: Database, migrations?: readonly Migration[]): Promise<SchemaState> {
  ofRelease ??= readMigrations();
  return compareSchema(migrations ?? ofRelease, await readApplied(db));
}

async function readApplied(db: Database): Promise<AppliedMigrations> {
  try {
    return toApplied((await db.$client.query<RecordRow>(readRecords)).rows);
  } catch (error) {
    if (areRecordsMissing(error)) return toApplied([]);
    throw error;
  }
}

/** A database may contain more than this release needs, as long as nothing that the release uses was removed. */
function compareSchema(migrations: readonly Migration[], { hashes, required }: AppliedMigrations): SchemaState {
  if (hashes.size === 0) return { kind: 'empty', problem: 'the database has no tables: run admin migrate' };
  // A contract only removes things, so a release runs both before and after its own contracts.
  const missing = migrations.filter(({ writtenAtMs, contract }) => contract === undefined && !hashes.has(writtenAtMs));
  if (missing.length > 0) {
    const tags = missing.map(({ tag }) => tag).join(', ');
    return { kind: 'older', problem: `the database is older than this release and lacks ${tags}: run admin migrate` };
  }
  const changed = migrations.find(({ writtenAtMs, hash }) => (hashes.get(writtenAtMs) ?? hash) !== hash);
  if (changed !== undefined) {
    const problem = `the database applied a ${changed.tag} that differs from this release: run the release that migrated it`;
    return { kind: 'changed', problem };
  }
  const known = new Set(migrations.map(({ writtenAtMs }) => writtenAtMs));
  if ([...required].every((writtenAtMs) => known.has(writtenAtMs))) return { kind: 'current' };
  return { kind: 'newer', problem: 'the database no longer has what this release uses: run a newer release' };
}

/** The `schema` check of `/readyz`. Logs a problem when it appears, because the response cannot describe it. */
export function schemaCheck(db: Database, logger: Logger): ReadinessCheck {
  let last: SchemaState['kind'] = 'current';
  return {
    name: 'schema',
    check: async () => {
      const state = await readSchemaState(db);
      if (state.kind !== last && state.kind !== 'current') logger.error({ schema: state.kind }, state.problem);
      last = state.kind;
      return state.kind === 'current';
    },
  };
}

const pollEveryMs = 1_000;

/**
 * Resolves once the check passes, because a worker on a mismatched schema would fail its jobs. Rejects when the signal
 * aborts.
 */
export async function untilSchemaFits({ check }: ReadinessCheck, signal: AbortSignal): Promise<void> {
  while (!(await check().catch(() => false))) {
    signal.throwIfAborted();
    await delay(pollEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
