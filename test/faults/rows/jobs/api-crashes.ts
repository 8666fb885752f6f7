import { letter } from '../../client/templates.ts';
import { expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

export const apiCrashRows: readonly Row[] = [
  {
    id: 'I7',
    title: 'API killed between the claim of the key and its answer',
    story: 'Killed inside the transaction, and after it before the job: the same key gets the one document at once',
    set: 'usual',
    async run(h) {
      await h.start();
      for (const window of [
        'idempotency-claimed',
        'after-commit-before-add',
        'after-data-before-add',
        'entered-before-ticket',
      ] as const) {
        const owner = await h.owner(letter, { credits: 5 });
        const ask = () => owner.client.generate({ ...owner, key: window });
        expectEqual((await h.killIn(window, ask)).status, 0, 'the answer of the dying API');
        await h.startApi();
        expectEqual((await ask()).status, 200, `the same request after a death at ${window}`);
        expectEqual((await h.statuses(owner.account.accountId)).succeeded, 1, 'documents that were made');
        expectEqual((await owner.client.quotas()).docs, 4, 'the credits left');
      }
    },
  },
];
