import type { components } from '@docmill/client';
import { operatorTexts } from '../../texts/operator.ts';
import { formatAge, formatDuration } from '../../ui/format.ts';

type Schemas = components['schemas'];

/** What the page shows, read together. */
export interface Situation {
  readonly queues: Schemas['AdminQueues'];
  readonly workers: Schemas['AdminWorkers']['workers'];
  readonly paused: Schemas['AdminPauses']['paused'];
  readonly quarantine: Schemas['AdminQuarantine'];
}

export interface Trouble {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
}

/** Longer than any document that somebody waits for. Batches may wait for hours beside others. */
const oldSeconds = 300;
const oldBatchSeconds = 6 * 3_600;
/** One failed job in five, of enough that chance does not count. */
const failingShare = 0.2;
const failingPerMinute = 3;

/** What an operator should look at, the worst first. */
export function findTrouble({ queues, workers, paused, quarantine }: Situation): readonly Trouble[] {
  const found: Trouble[] = [];
  const bad = (text: string): void => void found.push({ tone: 'bad', text });
  const warn = (text: string): void => void found.push({ tone: 'warn', text });
  if (queues.redis !== 'read') bad(operatorTexts.redisUnread(queues.redis));
  const isDown = workers.every(({ isLive }) => !isLive);
  if (isDown) bad(operatorTexts.noWorkers);
  for (const each of queues.queues) {
    if (!isDown && each.workers === 0 && each.waiting > 0) bad(operatorTexts.noWorker(each.queue, each.waiting));
    const limit = each.queue.endsWith('-batch') ? oldBatchSeconds : oldSeconds;
    if (each.waiting > 0 && each.oldestSeconds > limit && !each.isPaused)
      bad(operatorTexts.old(each.queue, formatDuration(each.oldestSeconds * 1_000)));
    const isFailing =
      each.failedPerMinute >= failingPerMinute && each.failedPerMinute > failingShare * each.outPerMinute;
    if (isFailing) bad(operatorTexts.failing(each.queue, each.failedPerMinute, each.outPerMinute));
  }
  for (const { isLive, host, pid } of workers) if (!isLive && !isDown) warn(operatorTexts.silent(host, pid));
  for (const { target, isRefusing, createdAt } of paused) {
    const describe = isRefusing ? operatorTexts.pausedAndRefused : operatorTexts.pausedTarget;
    warn(describe(target.replace(/^queue:|^account:/, ''), formatAge(createdAt)));
  }
  for (const { queue, missingJobs } of queues.queues)
    if (missingJobs !== null && missingJobs > 0) warn(operatorTexts.missing(queue, missingJobs));
  const suspended = quarantine.templates.filter(({ suspendedUntil }) => suspendedUntil !== null).length;
  if (suspended > 0) warn(operatorTexts.suspendedTemplates(suspended));
  const documents = quarantine.documents.filter(({ isQuarantined }) => isQuarantined).length;
  if (documents > 0) warn(operatorTexts.quarantined(documents));
  return found.toSorted((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'));
}
