import type { Transaction } from './db/client.ts';
import { pinTemplate } from './domain/templates/pin-template.ts';
import { listWorkers } from './domain/workers.ts';
import { AppError } from './errors.ts';
import { queueKey } from './queue/contracts.ts';

const pinnedQueues = queueKey('pdf', '');

/**
 * Pins a template to a version of LibreOffice; null removes the pin. Throws `conflict` if no live worker has the version,
 * because every PDF of the template would be refused, unless `mayWait`.
 */
export async function pinToEngine(
  tx: Transaction,
  { mayWait, ...pin }: { readonly templateId: string; readonly engine: string | null; readonly mayWait: boolean },
): Promise<Awaited<ReturnType<typeof pinTemplate>>> {
  const pinned = await pinTemplate(tx, pin);
  if (pin.engine !== null && !mayWait) await requireWorker(tx, pin.engine);
  return pinned;
}

async function requireWorker(tx: Transaction, engine: string): Promise<void> {
  const live = (await listWorkers(tx)).filter((worker) => worker.isLive && !worker.isDraining);
  const queues = live.flatMap((worker) => worker.queues).filter((queue) => queue.startsWith(pinnedQueues));
  const engines = [...new Set(queues.map((queue) => queue.slice(pinnedQueues.length)))].sort();
  if (engines.includes(engine)) return;
  const found =
    engines.length === 0 ? 'no worker for PDFs is running' : `those that are running have ${engines.join(' and ')}`;
  throw new AppError(
    'conflict',
    `No worker has LibreOffice ${engine} (${found}), so that PDFs of the template would be refused. Start a worker with this version first, or pin without one (--without-worker; in the API, withoutWorker).`,
  );
}
