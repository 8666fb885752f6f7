import { hostname } from 'node:os';
import type { Database } from '../shared/db/client.ts';
import type { RecentWork } from '../shared/db/schema/operations.ts';
import { removeLostWorkers, removeWorker, reportWorker } from '../shared/domain/workers.ts';
import type { Logger } from '../shared/logger.ts';
import { thisRelease } from '../shared/this-release.ts';

const everyMs = 2_000;

export interface AnnouncedWorker {
  readonly workerId: string;
  readonly queues: readonly string[];
  /** Jobs being processed, by queue. */
  jobs(): Readonly<Record<string, number>>;
  /** Work that ended within the last two minutes, by queue. */
  recent(): RecentWork;
  /** Called once, when the operator asks this worker to finish its jobs and exit. */
  onDrain(): void;
}

/** Writes this worker's row now and every two seconds; `stop` removes it. */
export async function announceWorker(
  db: Database,
  logger: Logger,
  { onDrain, jobs, recent, ...worker }: AnnouncedWorker,
): Promise<{ stop(): Promise<void> }> {
  let isDraining = false;
  let reporting: Promise<void> | undefined;
  const report = async (): Promise<void> => {
    const own = { host: hostname(), pid: process.pid, release: thisRelease.version };
    const facts = { ...worker, ...own, jobs: jobs(), recent: recent() };
    try {
      const isAsked = await reportWorker(db, facts);
      if (isAsked && !isDraining) {
        isDraining = true;
        onDrain();
      }
    } catch (error) {
      logger.warn({ err: error }, 'this worker could not report; admin commands may not find it');
    }
  };
  const reportOnce = (): Promise<void> => {
    reporting ??= report().finally(() => {
      reporting = undefined;
    });
    return reporting;
  };
  await removeLostWorkers(db).catch(() => undefined);
  await reportOnce();
  const timer = setInterval(() => void reportOnce(), everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      // A report in progress would write the row again.
      await reporting;
      await removeWorker(db, worker.workerId).catch(() => undefined);
    },
  };
}
