import { findPins } from '../../shared/domain/documents/find-pins.ts';
import { createEngineRegistry } from '../../shared/queue/engine-registry.ts';
import type { WorkerDeps } from '../deps.ts';
import { forEach } from './for-each.ts';

const sampleSize = 200;

/**
 * Moves documents out of the queues of engines that no worker has, if the pin of their template was removed or changed:
 * no worker would ever take them. Checks a few of them in each run, so that the cost does not grow with their number.
 */
export async function recoverPinned(deps: WorkerDeps): Promise<void> {
  const { queues, redis, config, db, logger } = deps;
  const served = await createEngineRegistry(redis, config.QUEUE_PREFIX, 'pdf').read();
  for (const engine of await queues.listEngines()) {
    if (served.has(engine)) continue;
    const ids = await queues.fair('pdf', engine).sample(sampleSize);
    if (ids.length === 0) continue;
    const pins = new Map((await findPins(db, ids)).map((pin) => [pin.id, pin]));
    const misplaced = ids.filter((id) => pins.get(id)?.engine !== engine);
    await forEach(
      deps,
      misplaced.map((id) => ({ id })),
      async ({ id }) => {
        const pin = pins.get(id);
        // Withdrawn first: a crash in between leaves the document without a job, which the other sweeps repair.
        await queues.withdraw('pdf', id, engine);
        if (pin === undefined) return;
        const payload = { documentId: id, accountId: pin.accountId, replyTo: null };
        await queues.add('pdf', id, payload, { engine: pin.engine });
        logger.info(
          { documentId: id, from: engine, to: pin.engine },
          'a document was moved to the queue that the pin of its template requires',
        );
      },
    );
  }
}
