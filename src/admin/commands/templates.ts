import type { Executor } from '../../shared/db/client.ts';
import { pinTemplate } from '../../shared/domain/templates/pin-template.ts';
import { listWorkers } from '../../shared/domain/workers.ts';
import { AppError } from '../../shared/errors.ts';
import { queueKey } from '../../shared/queue/contracts.ts';
import { type Commands, flag, optional, required, UsageError } from '../parse-command.ts';
import { readId, readVersion } from '../read-options.ts';

export const templateCommands: Commands = {
  'pin-template': {
    summary: 'Pin the PDFs of a template to one version of LibreOffice, or remove the pin with --unpin',
    options: {
      template: required('<templateId>'),
      engine: optional('<version>'),
      unpin: flag,
      'without-worker': flag,
    },
    act(options) {
      if (options.has('engine') === options.has('unpin')) throw new UsageError('Give either --engine or --unpin');
      const engine = options.has('unpin') ? null : readVersion(options, 'engine');
      const templateId = readId(options, 'template', 'tpl');
      const mayWait = engine === null || options.has('without-worker');
      return async (tx) => {
        const pin = await pinTemplate(tx, { templateId, engine });
        if (!mayWait) await requireWorker(tx, engine);
        return pin;
      };
    },
  },
};

const pinnedQueues = queueKey('pdf', '');

/** Throws `conflict` if no live worker has the engine, because every PDF of the template would be refused. */
async function requireWorker(db: Executor, engine: string): Promise<void> {
  const live = (await listWorkers(db)).filter((worker) => worker.isLive && !worker.isDraining);
  const queues = live.flatMap((worker) => worker.queues).filter((queue) => queue.startsWith(pinnedQueues));
  const engines = [...new Set(queues.map((queue) => queue.slice(pinnedQueues.length)))].sort();
  if (engines.includes(engine)) return;
  const found =
    engines.length === 0 ? 'no worker for PDFs is running' : `those that are running have ${engines.join(' and ')}`;
  throw new AppError(
    'conflict',
    `No worker has LibreOffice ${engine} (${found}), so that PDFs of the template would be refused. Start a worker with this version first, or add --without-worker.`,
  );
}
