import { expect, it, onTestFinished } from 'vitest';
import { createResultWaiter } from '../../../src/api/await-result.ts';
import { acceptGeneration } from '../../../src/shared/domain/generations/accept-generation.ts';
import { openReplyChannel } from '../../../src/shared/queue/replies.ts';
import { documentRequest, newAccount } from '../../support/accounts.ts';
import { useDatabase } from '../../support/database.ts';
import { newPrefix, silent, useRedis } from '../../support/redis.ts';

const { db, pool } = useDatabase();

it('an order whose row a crash of the database took back is answered soon, and charged nothing', async () => {
  const replies = await openReplyChannel(await useRedis('subscriber'), newPrefix(), silent);
  onTestFinished(() => replies.close());
  const waits = { waitLimitMs: 20_000, lookEveryMs: 100, maxWaiting: 10, maxWaitingPerAccount: 10 };
  const waiter = createResultWaiter({ db, replies, logger: silent, ...waits });
  const { accountId, templateId } = await newAccount(db, { docs: 1 });
  const request = documentRequest(templateId, { isPromised: false });
  await acceptGeneration(db, accountId, request);
  const answer = waiter.document({ id: request.id, isReplay: false }, async () => {
    await pool.query('delete from ledger where generation_id = $1', [request.id]);
    await pool.query('delete from generations where id = $1', [request.id]);
    await pool.query('update allowances set docs_held = 0 where account_id = $1', [accountId]);
  });
  await expect(answer).rejects.toMatchObject({ code: 'unavailable', message: /lost this order.*Nothing was charged/ });
});
