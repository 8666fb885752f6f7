import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { bool, cast } from '../../db/row.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import type { SecretBox } from './secret-box.ts';

const e = webhookEndpoints;
const maxListed = 20;
const maxTries = 5;

export interface ResealReport {
  /** The number of webhooks read. */
  readonly webhooks: number;
  /** The number whose secrets were not sealed with the first key and now are. */
  readonly resealed: number;
  /** The number still to be resealed: in a dry run, or because they kept changing. */
  readonly pending: number;
  /** The number with a secret that no key opens. They are left unchanged. */
  readonly unreadable: number;
  /** The ids of the first 20 unreadable ones. */
  readonly unreadableIds: readonly string[];
}

/**
 * Seals the signing secrets of all webhooks with the first key of `box`, one row at a time, so that it can run while
 * the service does, and be restarted. Removes previous secrets that are no longer used. A row that changes in the
 * meantime is read again. With `isDryRun`, nothing is written. Throws
 * `unavailable` after `untilMs`.
 */
export async function resealSecrets(
  db: Executor,
  box: SecretBox,
  {
    isDryRun,
    pageSize = 500,
    untilMs = Number.POSITIVE_INFINITY,
  }: { readonly isDryRun: boolean; readonly pageSize?: number; readonly untilMs?: number },
): Promise<ResealReport> {
  const counts = { webhooks: 0, resealed: 0, pending: 0, unreadable: 0 };
  const unreadableIds: string[] = [];
  for (let after = ''; ; ) {
    if (performance.now() > untilMs)
      throw new AppError('unavailable', 'Not all webhooks were read in time. Repeat the request, which continues.', {
        retryAfterSeconds: 1,
      });
    const rows = await readPage(db, after, pageSize);
    for (const row of rows) {
      counts.webhooks += 1;
      const outcome = await resealRow(db, box, row, isDryRun);
      if (outcome !== 'current') counts[outcome] += 1;
      if (outcome === 'unreadable' && unreadableIds.length < maxListed) unreadableIds.push(row.id);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return { ...counts, unreadableIds };
    after = last.id;
  }
}

interface SealedRow {
  readonly id: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly isOverlapping: boolean;
}

const columns = {
  id: e.id,
  secret: e.secret,
  previousSecret: e.previousSecret,
  isOverlapping: cast(bool, sql`coalesce(${e.previousSecretUntil} > now(), false)`),
};

const readPage = (db: Executor, after: string, limit: number): Promise<SealedRow[]> =>
  run(db, db.select(columns).from(e).where(gt(e.id, after)).orderBy(asc(e.id)).limit(limit));

async function resealRow(
  db: Executor,
  box: SecretBox,
  row: SealedRow,
  isDryRun: boolean,
): Promise<'current' | 'resealed' | 'pending' | 'unreadable'> {
  let current: SealedRow | undefined = row;
  for (let attempt = 1; attempt <= maxTries && current !== undefined; attempt++) {
    const target = reseal(box, current);
    if (target === undefined) return 'unreadable';
    if (target.secret === current.secret && target.previousSecret === current.previousSecret) return 'current';
    if (isDryRun) return 'pending';
    const { secret, previousSecret }: SealedRow = current;
    const isUnchanged = and(
      eq(e.id, row.id),
      eq(e.secret, secret),
      previousSecret === null ? isNull(e.previousSecret) : eq(e.previousSecret, previousSecret),
    );
    const written = await run(db, db.update(e).set(target).where(isUnchanged).returning({ id: e.id }));
    if (written.length > 0) return 'resealed';
    [current] = await run(db, db.select(columns).from(e).where(eq(e.id, row.id)));
  }
  return current === undefined ? 'current' : 'pending';
}

/** The row in its resealed form; undefined if a secret cannot be opened. */
function reseal(
  box: SecretBox,
  { id, secret, previousSecret, isOverlapping }: SealedRow,
): Pick<SealedRow, 'secret' | 'previousSecret'> | undefined {
  const move = (stored: string): string => {
    const opened = box.open(stored, id);
    return box.isCurrent(stored) ? stored : box.seal(opened, id);
  };
  try {
    const previous = isOverlapping ? (previousSecret?.split(' ').map(move).join(' ') ?? null) : null;
    return { secret: move(secret), previousSecret: previous };
  } catch {
    return undefined;
  }
}
