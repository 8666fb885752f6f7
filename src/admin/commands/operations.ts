import { setTimeout as delay } from 'node:timers/promises';
import { type QueueName, queueNames } from '../../shared/config/worker-variables.ts';
import { type PauseTarget, pause, resume } from '../../shared/domain/pauses.ts';
import { listWorkers, requestDrain } from '../../shared/domain/workers.ts';
import { AppError } from '../../shared/errors.ts';
import { type AdminDeps, type Commands, flag, type Options, optional, UsageError } from '../parse-command.ts';
import { readCount, readId, readOneOf } from '../read-options.ts';

/** Sweeps cannot be paused: they recover from crashes even while everything else is paused. */
const pausable = queueNames.filter((name) => name !== 'maintenance');
const targetOptions = { queue: optional(`<${pausable.join('|')}>`), account: optional('<accountId>'), all: flag };

export const operationCommands: Commands = {
  pause: {
    summary:
      'Workers stop taking jobs of a queue, of all queues, or documents of an account; with --refuse the API refuses new requests, too',
    options: { ...targetOptions, refuse: flag },
    act(options) {
      const targets = readTargets(options);
      const isRefusing = options.has('refuse');
      return (tx) => pause(tx, targets, isRefusing);
    },
  },
  resume: {
    summary: 'Workers take jobs again; --all also resumes every account',
    options: targetOptions,
    act(options) {
      const targets = readTargets(options);
      return (tx) => resume(tx, options.has('all') ? 'all' : targets);
    },
  },
  workers: {
    summary: 'List the worker processes, their queues and the jobs that they are processing',
    options: {},
    run: async ({ db }) => ({ workers: await listWorkers(db) }),
  },
  drain: {
    summary:
      'Drain one or all workers: they take no more jobs, finish theirs and exit; exit code 1 if some are still running',
    options: { worker: optional('<workerId>'), all: flag, 'timeout-seconds': optional('<0-3600>') },
    exitCodeOf: (result) => ((result as DrainResult).remaining.length === 0 ? 0 : 1),
    steps(options) {
      const request = readDrain(options);
      return ({ db }) => drain(db, request);
    },
  },
};

function readTargets(options: Options): readonly PauseTarget[] {
  if (['queue', 'account', 'all'].filter((name) => options.has(name)).length !== 1)
    throw new UsageError('Give either --queue, --account or --all');
  if (options.has('account')) return [`account:${readId(options, 'account', 'acc')}`];
  const queues = options.has('all') ? pausable : [readOneOf<QueueName>(options, 'queue', pausable)];
  return queues.map((queue) => `queue:${queue}` as const);
}

export interface DrainResult {
  readonly drained: readonly string[];
  /** Workers that stopped reporting; other workers take over their jobs. */
  readonly lost: readonly string[];
  readonly remaining: readonly { readonly workerId: string; readonly jobs: Readonly<Record<string, number>> }[];
}

const pollMs = 500;

interface DrainRequest {
  /** Undefined for all workers. */
  readonly workerId: string | undefined;
  readonly timeoutSeconds: number;
}

export function readDrain(options: Options): DrainRequest {
  if (options.has('worker') === options.has('all')) throw new UsageError('Give either --worker or --all');
  return {
    workerId: options.has('worker') ? readId(options, 'worker', 'wrk') : undefined,
    timeoutSeconds: options.has('timeout-seconds') ? readCount(options, 'timeout-seconds', 0, 3_600) : 60,
  };
}

async function drain(db: AdminDeps['db'], { workerId, timeoutSeconds }: DrainRequest): Promise<DrainResult> {
  const asked = await requestDrain(db, workerId);
  if (workerId !== undefined && asked.length === 0)
    throw new AppError('not_found', `No live worker has the id ${workerId}`);
  const endMs = performance.now() + timeoutSeconds * 1_000;
  for (;;) {
    const rows = await listWorkers(db, asked);
    const remaining = rows
      .filter(({ isLive }) => isLive)
      .map(({ workerId: id, jobs }) => ({ workerId: id, jobs: busyOf(jobs) }));
    if (remaining.length === 0 || performance.now() > endMs) {
      const present = new Set(rows.map((row) => row.workerId));
      const lost = rows.filter(({ isLive }) => !isLive).map((row) => row.workerId);
      return { drained: asked.filter((id) => !present.has(id)), lost, remaining };
    }
    await delay(pollMs);
  }
}

/** Selects the queues that have jobs in progress. */
export const busyOf = (jobs: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(jobs).filter(([, count]) => count > 0));
