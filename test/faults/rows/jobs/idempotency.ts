import { setTimeout as delay } from 'node:timers/promises';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { connectRaw } from '../../../support/client/raw-http.ts';
import type { Answer } from '../../client/client.ts';
import { letter, nestedSections } from '../../client/templates.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { patient } from '../../harness/settings.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const refusedKeys: readonly (readonly [string, string])[] = [
  ['256 characters', 'k'.repeat(256)],
  ['empty', ''],
  ['a control character', 'a\u0001b'],
  ['a tab', 'a\tb'],
  ['non-ASCII bytes', 'caf\u00e9'],
];

/** Sends headers that no HTTP client would send, over a plain socket. */
async function statusOfKey(h: Harness, { account, templateId }: Owner, key: string): Promise<number> {
  const connection = await connectRaw(h.api.url);
  const body = JSON.stringify({ data: {} });
  await connection.send(
    Buffer.from(
      `POST /v1/templates/${templateId}/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: ${key}\r\n\r\n${body}`,
      'latin1',
    ),
  );
  const { status } = await connection.answer();
  connection.close();
  return status;
}

function code(answer: Answer): readonly [number, string | null] {
  return [answer.status, answer.headers.get('Error-Code')];
}

export const idempotencyRows: readonly Row[] = [
  {
    id: 'I1',
    title: '20 parallel requests, same key and body',
    story: 'One document, one credit, the same bytes for all twenty',
    isQuick: true,
    async run(h) {
      await h.start(patient);
      for (let run = 0; run < h.repeats; run++) {
        const { client, account, templateId } = await h.owner(letter, { credits: 30 });
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => client.generate({ templateId, key: `i1-${run}` })),
        );
        expectEqual(tally(answers), { 200: 20 }, 'the answers');
        expectEqual(await h.statuses(account.accountId), { succeeded: 1 }, 'the documents');
        expectEqual((await client.quotas()).docs, 29, 'the credits left');
      }
    },
  },
  {
    id: 'I2',
    title: 'same key, other body',
    story: '409, nothing charged, the first answer still stands',
    async run(h) {
      await h.start();
      const { client, templateId } = await h.owner(letter, { credits: 5 });
      expectEqual((await client.generate({ templateId, key: 'i2' })).status, 200, 'the first answer');
      const other = await client.generate({ templateId, key: 'i2', data: { more: 'text' } });
      expectEqual(code(other), [409, 'conflict'], 'the answer to the other body');
      expectEqual((await client.generate({ templateId, key: 'i2' })).status, 200, 'the first request again');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
  {
    id: 'I3',
    title: 'same key, other account',
    story: 'Independent: each account has its own document',
    async run(h) {
      await h.start();
      const owners = await Promise.all([h.owner(letter, { credits: 5 }), h.owner(letter, { credits: 5 })]);
      for (const { client, templateId } of owners) {
        expectEqual((await client.generate({ templateId, key: 'i3' })).status, 200, 'the answer');
        expectEqual((await client.quotas()).docs, 4, 'the credits left');
      }
    },
  },
  {
    id: 'I4',
    title: 'replay after success, 402, 400 and 500',
    story:
      'Success and 400 are replayed; 402 is not frozen: after a top-up the key works; after a 500 on our side the same key produces the document',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 1 });
      expectEqual((await client.generate({ templateId, key: 'ok' })).status, 200, 'the answer');
      const replay = await client.generate({ templateId, key: 'ok' });
      expectEqual(replay.status, 200, 'the replay');
      expect(replay.durationMs < 1_500, `the replay took ${Math.round(replay.durationMs)} ms`);
      expectEqual((await client.generate({ templateId, key: 'poor' })).status, 402, 'the answer without credits');
      await grantCredits(h.backing.postgres.database.db, { accountId: account.accountId, docs: 10, templates: 0 });
      expectEqual((await client.generate({ templateId, key: 'poor' })).status, 200, 'the same after a top-up');
      const poison = await h.template(client, nestedSections(8));
      const a = Array.from({ length: 20 }, () => ({}));
      for (const what of ['the refusal', 'its replay'])
        expectEqual(
          code(await client.generate({ templateId: poison, key: 'bad', data: { a } })),
          [400, 'render_limit'],
          what,
        );
      h.arm('after-render', 'throw', 3);
      expectEqual(code(await client.generate({ templateId, key: 'ours' })), [500, 'internal'], 'our own failure');
      expectEqual((await client.generate({ templateId, key: 'ours' })).status, 200, 'the same again');
      expectEqual((await client.quotas()).docs, 8, 'the credits left');
    },
  },
  {
    id: 'I5',
    title: 'invalid keys',
    story: '256 characters, empty, control characters, non-ASCII: 400, nothing charged',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      for (const [what, key] of refusedKeys) expectEqual(await statusOfKey(h, owner, key), 400, what);
      expectEqual((await owner.client.generate({ ...owner, key: 'k'.repeat(255) })).status, 200, '255 characters');
      expectEqual((await owner.client.quotas()).docs, 4, 'the credits left');
    },
  },
  {
    id: 'I6',
    title: 'replay after the key has expired',
    story: 'A new document, and a new credit',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      expectEqual((await client.generate({ templateId, key: 'i6' })).status, 200, 'the answer');
      await h.query("update idempotency_keys set expires_at = now() - interval '1 second' where account_id = $1", [
        account.accountId,
      ]);
      h.allowedUnanswered = 1;
      expectEqual((await client.generate({ templateId, key: 'i6' })).status, 200, 'the answer after expiry');
      expectEqual((await client.quotas()).docs, 3, 'the credits left');
    },
  },
  {
    id: 'I7',
    title: 'API killed between the claim of the key and its answer',
    story: 'Killed inside the transaction, after it, and before the job: the same key gets the one document at once',
    isQuick: true,
    async run(h) {
      await h.start();
      for (const window of ['idempotency-claimed', 'after-commit-before-add', 'after-data-before-add'] as const) {
        const { client, account, templateId } = await h.owner(letter, { credits: 5 });
        const point = h.arm(window, 'kill');
        expectEqual((await client.generate({ templateId, key: window })).status, 0, 'the answer of the dying API');
        await point.reached();
        await h.startApi();
        const again = await client.generate({ templateId, key: window });
        expectEqual(again.status, 200, `the same request after a death at ${window}`);
        expectEqual((await h.statuses(account.accountId)).succeeded, 1, 'documents that were made');
        expectEqual((await client.quotas()).docs, 4, 'the credits left');
      }
    },
  },
  {
    id: 'I8',
    title: 'client disconnects during the wait',
    story: 'The document is produced and charged once; the same key gets it later',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      const point = h.arm('after-claim', { delay: 1_000 });
      const aborted = client.generate({ templateId, key: 'i8', signal: AbortSignal.timeout(400) });
      await point.reached();
      expectEqual((await aborted).status, 0, 'the status of the aborted request');
      await until('the document', async () => (await h.statuses(account.accountId)).succeeded === 1);
      await delay(100);
      expectEqual((await client.generate({ templateId, key: 'i8' })).status, 200, 'the same request again');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
];
