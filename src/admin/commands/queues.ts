import { describeDocument } from '../../shared/domain/documents/describe-document.ts';
import { type Commands, optional, required } from '../parse-command.ts';
import { readCount, readId } from '../read-options.ts';

export const queueCommands: Commands = {
  queues: {
    summary: 'Show the backlog, age, throughput and workers of each queue, and the accounts with the largest backlogs',
    options: { account: optional('<accountId>'), top: optional('<1-1000>') },
    async run({ db }, options) {
      const accountId = options.has('account') ? readId(options, 'account', 'acc') : undefined;
      const top = options.has('top') ? readCount(options, 'top', 1, 1_000) : 10;
      const { withQueues } = await import('../with-queues.ts');
      const { readQueues } = await import('../../api/queues/read-queues.ts');
      return await withQueues((source) => readQueues(db, source, { accountId, top }));
    },
  },
  'show-document': {
    summary: 'Show the account, state, times and error code of one document',
    options: { document: required('<documentId>') },
    run: ({ db }, options) => describeDocument(db, readId(options, 'document', 'doc')),
  },
};
