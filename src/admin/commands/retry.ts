import type { Retry } from '../../api/batches/retry-work.ts';
import { type Commands, optional, UsageError } from '../parse-command.ts';
import { readId } from '../read-options.ts';
import { withObjects } from '../with-bucket.ts';

const load = () => import('../../api/batches/retry-work.ts');

export const retryCommands: Commands = {
  retry: {
    summary:
      'Produce a failed document of a batch or all of them again, or send an e-mail again; exit code 1 if refused',
    options: { document: optional('<documentId>'), batch: optional('<batchId>'), delivery: optional('<deliveryId>') },
    exitCodeOf: (result) => ((result as Retry).outcome === 'queued' ? 0 : 1),
    steps(options) {
      const given = ['document', 'batch', 'delivery'].filter((name) => options.has(name));
      if (given.length !== 1) throw new UsageError('Give either --document, --batch or --delivery');
      if (options.has('delivery')) {
        const deliveryId = readId(options, 'delivery', 'dlv');
        return async (deps) => (await load()).retryDelivery(deps, deliveryId);
      }
      if (options.has('batch')) {
        const batchId = readId(options, 'batch', 'bat');
        return async ({ db }) => (await load()).retryBatch({ db, withObjects }, batchId);
      }
      const documentId = readId(options, 'document', 'doc');
      return async ({ db }) => (await load()).retryDocument({ db, withObjects }, documentId);
    },
  },
};
