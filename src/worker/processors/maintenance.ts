import type { JobPayload } from '../../shared/queue/contracts.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { expireAudit } from '../maintenance/expire-audit.ts';
import { expireQuarantine } from '../maintenance/expire-quarantine.ts';
import { keepPartitions } from '../maintenance/keep-partitions.ts';
import { reconcileWaitingData } from '../maintenance/reconcile-waiting-data.ts';
import { endOpenBatches, recoverBundles, recoverRows, releaseRows } from '../maintenance/recover-batches.ts';
import { recoverDeliveries } from '../maintenance/recover-deliveries.ts';
import { recoverDocuments } from '../maintenance/recover-documents.ts';
import { recoverPinned } from '../maintenance/recover-pinned.ts';
import { recoverTickets } from '../maintenance/recover-tickets.ts';
import { recoverWebhooks } from '../maintenance/recover-webhooks.ts';
import {
  expireBatches,
  expireEmailCounts,
  expireKeys,
  expireResults,
  purgeFonts,
  purgeTemplates,
  removeDictionaries,
} from '../maintenance/remove-expired.ts';
import { removeOldBatches, removeOldUsage } from '../maintenance/remove-old.ts';
import { removeOrphanedObjects } from '../maintenance/remove-orphaned-objects.ts';

type Step = (deps: WorkerDeps, untilMs: number) => Promise<void>;

const steps: Readonly<Record<JobPayload<'maintenance'>['task'], Readonly<Record<string, Step>>>> = {
  sweep: {
    generations: recoverDocuments,
    tickets: recoverTickets,
    'waiting-data': reconcileWaitingData,
    pinned: recoverPinned,
    rows: recoverRows,
    releases: releaseRows,
    batches: endOpenBatches,
    bundles: recoverBundles,
    deliveries: recoverDeliveries,
    webhooks: recoverWebhooks,
    keys: expireKeys,
    'email-counts': expireEmailCounts,
    results: expireResults,
    'expired-batches': expireBatches,
    quarantine: expireQuarantine,
    templates: purgeTemplates,
    fonts: purgeFonts,
    dictionaries: removeDictionaries,
    audit: expireAudit,
  },
  orphans: { orphans: removeOrphanedObjects },
  retention: { partitions: keepPartitions, 'old-batches': removeOldBatches, 'old-usage': removeOldUsage },
};

/** All steps and how often each runs, in milliseconds. */
export function sweepIntervals(config: WorkerDeps['config']): Readonly<Record<string, number>> {
  const tasks = Object.keys(steps) as (keyof typeof steps)[];
  return Object.fromEntries(
    tasks.flatMap((task) => Object.keys(steps[task]).map((step) => [step, intervalMsOf(task, config)])),
  );
}

/** The part of its interval that a step may use; it continues in the next interval. */
const shareOfInterval = { sweep: 0.6, orphans: 0.05, retention: 0.5 } as const;
const minStepMs = 1_000;

/**
 * Recovers from crashes and removes expired data. The steps run concurrently, and a step that is still running, here or
 * in another worker, is skipped, so that no step delays another. Safe to run repeatedly and concurrently.
 */
export async function processMaintenance(
  workerDeps: WorkerDeps,
  { logger }: JobRun,
  { task }: JobPayload<'maintenance'>,
): Promise<void> {
  const deps = { ...workerDeps, logger };
  const limitMs = Math.max(minStepMs, intervalMsOf(task, deps.config) * shareOfInterval[task]);
  await Promise.all(Object.entries(steps[task]).map(([name, step]) => runStep(deps, name, step, limitMs)));
}

function intervalMsOf(task: keyof typeof steps, config: WorkerDeps['config']): number {
  const { SWEEP_INTERVAL_MS, ORPHAN_SWEEP_INTERVAL_MS, RETENTION_INTERVAL_MS } = config;
  return { sweep: SWEEP_INTERVAL_MS, orphans: ORPHAN_SWEEP_INTERVAL_MS, retention: RETENTION_INTERVAL_MS }[task];
}

async function runStep(deps: WorkerDeps, name: string, step: Step, limitMs: number): Promise<void> {
  const { redis, config, logger } = deps;
  const key = `${config.QUEUE_PREFIX}:sweep-step:${name}`;
  try {
    // An optimization only; the key expires if the process dies.
    if ((await guardedRedis(() => redis.set(key, '1', 'PX', Math.ceil(limitMs * 2), 'NX'))) !== 'OK') return;
    await step(deps, performance.now() + limitMs);
    deps.metrics.taskDone(name);
  } catch (error) {
    logger.warn({ err: error, step: name }, 'a sweep step stopped early; the next sweep continues');
  }
  await redis.unlink(key).catch(() => undefined);
}
