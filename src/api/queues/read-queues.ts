import { type QueueName, queueNames } from '../../shared/config/worker-variables.ts';
import type { Executor } from '../../shared/db/client.ts';
import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { listPauses } from '../../shared/domain/pauses.ts';
import { readArrivals } from '../../shared/domain/waiting/read-arrivals.ts';
import { type QueueBacklog, readBacklogs } from '../../shared/domain/waiting/read-backlogs.ts';
import { listWorkers } from '../../shared/domain/workers.ts';
import { AppError } from '../../shared/errors.ts';
import { queueKey } from '../../shared/queue/contracts.ts';
import type { QueueStats, Queues } from '../../shared/queue/queues.ts';

interface QueueState extends Omit<QueueBacklog, 'queue'> {
  readonly queue: string;
  /** Counted by accepted ids, or in Redis for work without rows; null when Redis was needed but not queried. */
  readonly inPerMinute: number | null;
  /** Work that live workers have finished, including failures. */
  readonly outPerMinute: number;
  readonly failedPerMinute: number;
  readonly isPaused: boolean;
  /** Live workers that serve the queue. */
  readonly workers: number;
  /** Jobs in Redis, one for each waiting document; null when Redis was not queried. */
  readonly jobs: Omit<QueueStats, 'ageMs'> | null;
  /** Documents or e-mails that lack a job; null for queues whose work may wait without one. */
  readonly missingJobs: number | null;
}

const shown = queueNames.filter((name) => name !== 'maintenance');
/** Workers report the work that ended within the last two minutes. */
const recentMinutes = 2;
const none = { waiting: 0, delayed: 0, inProgress: 0, oldestSeconds: 0 };

/** The queues, and the accounts with the largest backlogs. */
export async function readQueues(
  db: Executor,
  source: JobSource,
  { accountId, top }: { readonly accountId: string | undefined; readonly top: number },
): Promise<object> {
  // Throws for an account that does not exist.
  const account = accountId === undefined ? undefined : await findAccount(db, accountId);
  // PostgreSQL is read last, so that jobs that end meanwhile are not counted as missing.
  const redis = await readJobs(source);
  const backlogs = await readBacklogs(db, { top, accountId });
  const arrivals = await readArrivals(db);
  const paused = new Set<string>((await listPauses(db)).map(({ target }) => target));
  const live = (await listWorkers(db)).filter((worker) => worker.isLive && !worker.isDraining);
  const byQueue = new Map(backlogs.queues.map(({ queue, ...counts }) => [queue, counts]));
  const served = live.flatMap(({ queues }) => queues).filter((name) => name !== 'maintenance');
  const names = [...new Set([...shown, ...byQueue.keys(), ...redis.jobs.keys(), ...served])];
  const sumOf = (queue: string, what: 'ended' | 'failed'): number =>
    live.reduce((sum, { recent }) => sum + (recent[queue]?.[what] ?? 0), 0) / recentMinutes;
  const queues = names.map((queue): QueueState => {
    const stats = redis.jobs.get(queue);
    const postgres = byQueue.get(queue) ?? none;
    // Uploads exist only in Redis.
    const counts =
      queue === 'inspect' && stats !== undefined
        ? {
            ...none,
            waiting: stats.waiting,
            inProgress: stats.active,
            oldestSeconds: Math.round(stats.ageMs / 100) / 10,
          }
        : postgres;
    return {
      queue,
      ...counts,
      inPerMinute:
        stats === undefined && !hasRows(queue) ? null : (arrivals.get(queue) ?? 0) + (stats?.arrivalsPerMinute ?? 0),
      outPerMinute: sumOf(queue, 'ended'),
      failedPerMinute: sumOf(queue, 'failed'),
      isPaused: paused.has(`queue:${queue.split('@')[0]}`),
      workers: live.filter((worker) => worker.queues.includes(queue)).length,
      jobs: stats === undefined ? null : { waiting: stats.waiting, active: stats.active, delayed: stats.delayed },
      missingJobs: stats === undefined ? null : missingJobs(queue, counts, stats),
    };
  });
  const found = backlogs.accounts.map((row) => ({ ...row, isPaused: paused.has(`account:${row.accountId}`) }));
  const idle =
    account === undefined || found.length > 0
      ? []
      : [
          {
            accountId: account.accountId,
            suspendedAt: account.suspendedAt,
            ...none,
            queues: {},
            isPaused: paused.has(`account:${account.accountId}`),
          },
        ];
  return { isComplete: backlogs.isComplete, redis: redis.state, queues, accounts: [...found, ...idle] };
}

/**
 * Arrivals in these queues have a row in PostgreSQL whose id contains the time. PDF previews have no row and are
 * additionally counted in Redis.
 */
const hasRows = (queue: string): boolean =>
  (['docx', 'pdf', 'docx-batch', 'pdf-batch', 'webhook'] satisfies QueueName[]).some(
    (name) => name === queue.split('@')[0],
  );

/** Null for batch rows, which wait in PostgreSQL without a job, and for webhooks, of which one job sends many. */
function missingJobs(queue: string, counts: Omit<QueueBacklog, 'queue'>, jobs: QueueStats): number | null {
  if (queue !== 'docx' && queue !== 'mail' && queue.split('@')[0] !== 'pdf') return null;
  const wanted = counts.waiting + (queue === 'mail' ? 0 : counts.inProgress);
  return Math.max(0, wanted - jobs.waiting - jobs.active - jobs.delayed);
}

interface JobCounts extends QueueStats {
  readonly arrivalsPerMinute: number;
}

interface Jobs {
  /** `read`, or the reason why the jobs were not read. */
  readonly state: string;
  readonly jobs: ReadonlyMap<string, JobCounts>;
}

/** The queues in Redis, or the reason why there are none. */
export type JobSource = Queues | { readonly unread: string };

/** Never throws: without Redis the queues are still shown, and `state` gives the reason. */
async function readJobs(source: JobSource): Promise<Jobs> {
  if ('unread' in source) return { state: `not read: ${source.unread}`, jobs: new Map() };
  try {
    return { state: 'read', jobs: await countJobs(source) };
  } catch (error) {
    return { state: `not read: ${redisProblem(error)}`, jobs: new Map() };
  }
}

export const redisProblem = (error: unknown): string =>
  error instanceof AppError ? error.message : 'Redis cannot be reached';

async function countJobs(queues: Queues): Promise<ReadonlyMap<string, JobCounts>> {
  const engines = await queues.listEngines();
  const pinned = engines.flatMap((engine) => (['pdf', 'pdf-batch'] as const).map((name) => ({ name, engine })));
  const counted = new Map<string, JobCounts>();
  for (const { name, engine } of [...shown.map((each) => ({ name: each, engine: undefined })), ...pinned])
    counted.set(queueKey(name, engine), {
      ...(await queues.stats(name, engine)),
      arrivalsPerMinute: await queues.arrivalsPerMinute(name, engine),
    });
  return counted;
}
