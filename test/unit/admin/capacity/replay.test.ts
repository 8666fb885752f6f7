import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { Sample } from '../../../../src/admin/capacity/find-samples.ts';
import { replay } from '../../../../src/admin/capacity/replay.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('the replay ends, whatever the garbage collector does', async () => {
  const sample: Sample = {
    template: {
      id: 'tpl_1',
      accountId: 'acc_1',
      name: 'letter.docx',
      version: 1,
      objectKey: 'templates/letter',
      checksum: '0'.repeat(64),
      syntax: null,
      engine: null,
    },
    documents: 0,
    golden: [],
  };
  const produced = { bytes: 1, dataBytes: 1, pages: null, renderMs: 1, convertMs: 0 };
  const none = { main: 0, render: 0, office: 0 };
  const { failed } = await replay({
    producer: {
      engine: '25.2',
      produce: async ({ turn }) => {
        // With the heap of the whole suite, a collection takes up to a second, so only the first documents trigger one.
        if (turn < 2) collectGarbage();
        await delay(5);
        return produced;
      },
    },
    meter: { used: () => none, takePeaks: () => ({ renderProcess: 1, slot: 1 }), close: () => undefined },
    samples: [sample],
    format: 'docx',
    callers: 2,
    forMs: 2_000,
    signal: new AbortController().signal,
  });
  expect(failed).toEqual([]);
});
