import { expect, it, onTestFinished } from 'vitest';
import { openReplyChannel, publishReply, type Reply, type ReplyChannel } from '../../../src/shared/queue/replies.ts';
import { createTransientStore } from '../../../src/shared/storage/transient.ts';
import { newPrefix, silent, useRedis, useRedisProxy } from '../../support/services/redis.ts';

async function channelOn(port?: number): Promise<ReplyChannel> {
  const subscriber = await useRedis('subscriber', port);
  const channel = await openReplyChannel(subscriber, newPrefix(), silent);
  onTestFinished(() => channel.close());
  return channel;
}

function nextReply(channel: ReplyChannel, id: string): Promise<Reply> {
  return new Promise((resolve) => {
    const expected = channel.expect(id, (reply) => {
      expected.cancel();
      resolve(reply);
    });
  });
}

const done = (id: string): Reply => ({ id, ok: true, value: { pages: 3 } });

it('a reply reaches every caller that waits for it, and no other', async () => {
  const redis = await useRedis();
  const [mine, another] = [await channelOn(), await channelOn()];
  const waiting = [nextReply(mine, 'a'), nextReply(mine, 'a'), nextReply(mine, 'b')];
  let misdirected = 0;
  another.expect('a', () => {
    misdirected += 1;
  });
  await publishReply(redis, mine.name, done('a'));
  await publishReply(redis, mine.name, { id: 'b', ok: false, error: { code: 'data_invalid', message: 'No' } });
  expect(await Promise.all(waiting)).toEqual([
    done('a'),
    done('a'),
    { id: 'b', ok: false, error: { code: 'data_invalid', message: 'No' } },
  ]);
  expect([mine.waiting(), another.waiting(), misdirected]).toEqual([0, 1, 0]);
});

it.each([
  { where: 'stored in Redis', storedAs: 'doc', isLost: false, received: 'stored' },
  { where: 'that Redis has lost', storedAs: 'doc', isLost: true, received: 'at hand' },
  { where: 'stored elsewhere', storedAs: undefined, isLost: false, received: 'at hand' },
])('a small file $where comes with the reply', async ({ storedAs, isLost, received }) => {
  const redis = await useRedis();
  const channel = await channelOn();
  const store = createTransientStore(redis, newPrefix(), { accountBytes: 1, totalBytes: 1 });
  // Different bytes show which copy was sent.
  if (!isLost) await store.put('result', 'doc', Buffer.from('stored'), 60);
  const waiting = nextReply(channel, 'a');
  await publishReply(redis, channel.name, done('a'), { bytes: Buffer.from('at hand'), storedAs, store });
  expect(await waiting).toEqual({ ...done('a'), bytes: Buffer.from(received) });
});

it('a large file does not come with the reply', async () => {
  const redis = await useRedis();
  const channel = await channelOn();
  const store = createTransientStore(redis, newPrefix(), { accountBytes: 1, totalBytes: 1 });
  const waiting = nextReply(channel, 'a');
  const bytes = Buffer.alloc(64 * 1024 + 1);
  await publishReply(redis, channel.name, done('a'), { bytes, storedAs: undefined, store });
  expect(await waiting).toEqual(done('a'));
});

it('a caller that stops waiting does not affect others', async () => {
  const redis = await useRedis();
  const channel = await channelOn();
  const gone = channel.expect('a', () => {
    throw new Error('this one has gone');
  });
  const waiting = nextReply(channel, 'a');
  gone.cancel();
  gone.cancel();
  await publishReply(redis, channel.name, done('a'));
  expect(await waiting).toEqual(done('a'));
  expect(channel.waiting()).toBe(0);
});

it('an unreadable reply is dropped, and the next one arrives', async () => {
  const redis = await useRedis();
  const channel = await channelOn();
  const waiting = nextReply(channel, 'a');
  for (const text of ['{', '[]', '{"id":"a"}', '{"id":"a","ok":false,"error":"no"}'])
    await redis.publish(channel.name, text);
  await publishReply(redis, channel.name, done('a'));
  expect(await waiting).toEqual(done('a'));
});

it('no reply is sent without a waiting caller', async () => {
  await publishReply(await useRedis(), null, done('a'));
});

/** Publishes until the message is received, because Redis delivers at most once. */
async function publishUntilReceived(channel: ReplyChannel, id: string): Promise<Reply> {
  const redis = await useRedis();
  const received = nextReply(channel, id);
  let reply: Reply | undefined;
  void received.then((found) => {
    reply = found;
  });
  while (reply === undefined) await publishReply(redis, channel.name, done(id));
  return reply;
}

it('the channel reconnects after its connection was cut', async () => {
  const proxy = await useRedisProxy();
  const channel = await channelOn(proxy.port);
  proxy.resetAll();
  expect(await publishUntilReceived(channel, 'a')).toEqual(done('a'));
});

it('the channel reconnects after its server stopped responding', async () => {
  const proxy = await useRedisProxy();
  const channel = await channelOn(proxy.port);
  const before = proxy.totalConnections;
  proxy.set({ intercept: ({ connection }) => (connection <= before ? 'freeze' : 'pass') });
  expect(await publishUntilReceived(channel, 'a')).toEqual(done('a'));
});
