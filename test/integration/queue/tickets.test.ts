import { describe, expect, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import { type Taking, wakeChannel } from '../../../src/shared/queue/fair/fair-queue.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import type { Redis } from '../../../src/shared/queue/redis.ts';
import { transientKey } from '../../../src/shared/storage/transient.ts';
import { createRandom, type Random } from '../../../tools/fuzz/random.ts';
import { newPrefix, silent, useRedis } from '../../support/services/redis.ts';

const wide = { freePermits: 99, permitsPerAccount: 99, heldPermits: new Map<string, number>(), finishes: [] };

async function newScene() {
  const prefix = newPrefix();
  const redis = await useRedis();
  const queues = createQueues(redis, prefix, silent);
  onTestFinished(() => queues.close());
  const queue = queues.fair('docx');
  const bull = `${bullPrefix(prefix, 'docx')}:docx:`;
  let documents = 0;
  return {
    prefix,
    redis,
    queues,
    queue,
    bull,
    /** Enters a document without adding the ticket that it may need. */
    enter: (accountId = 'one') => queue.enqueue({ id: `doc-${++documents}`, accountId, payload: {} }),
    add: (accountId = 'one') =>
      queues.add('docx', `doc-${++documents}`, { documentId: 'doc', accountId, replyTo: null }),
    documents: () => documents,
    waitingTickets: () => redis.llen(`${bull}wait`),
    /** The number of tickets ever added. */
    addedTickets: async () => Number(await redis.get(`${bull}id`)),
    /** Fetches a ticket as BullMQ does. */
    fetch: async () => (await redis.rpoplpush(`${bull}wait`, `${bull}active`)) ?? undefined,
    end: (ticket: string) => redis.multi().lrem(`${bull}active`, 0, ticket).del(`${bull}${ticket}`).exec(),
    take: (id: string, workerId = 'worker', mayStay = true) =>
      queue.take({ ...wide, workerId, tickets: [{ id, mayStay }] }),
    /** Follows the messages about woken tickets of a worker. */
    async follow(workerId: string) {
      const subscriber = await useRedis('subscriber');
      const received: string[] = [];
      subscriber.on('message', (_channel: string, ticket: string) => received.push(ticket));
      await subscriber.subscribe(wakeChannel(prefix, 'docx', workerId));
      return { received, subscriber };
    },
  };
}

describe('a ticket', () => {
  it('is added for the first document that waits, and not for those behind it', async () => {
    const scene = await newScene();
    for (let count = 0; count < 10; count++) await scene.add();
    expect(await scene.waitingTickets()).toBe(1);
    await scene.queues.addMany('docx', [
      { jobId: 'a', payload: { documentId: 'a', accountId: 'two', replyTo: null } },
      { jobId: 'b', payload: { documentId: 'b', accountId: 'two', replyTo: null } },
    ]);
    expect(await scene.waitingTickets()).toBe(1);
  });

  it('is missing when a ticket has left documents behind, and not otherwise', async () => {
    const scene = await newScene();
    for (let count = 0; count < 3; count++) await scene.add();
    const ticket = (await scene.fetch()) ?? '';
    expect((await scene.take(ticket)).missingTickets).toBe(2);
    expect((await scene.take('other')).missingTickets).toBe(1);
    expect((await scene.take('third')).missingTickets).toBe(0);
  });

  it('that finds nothing stays, and is woken by the next document', async () => {
    const scene = await newScene();
    const { received } = await scene.follow('worker');
    expect((await scene.take('first')).takings).toEqual(['idle']);
    // Only fails to wake it if more than a quarter of a second passes; then the document gets a ticket of its own.
    const isMissing = await scene.enter();
    if (!isMissing) await expect.poll(() => received).toEqual(['first']);
    expect(await scene.enter()).toBe(true);
    expect((await scene.take('first')).takings).toMatchObject([{ id: 'doc-1' }]);
  });

  it('is added when the worker of an idle ticket is gone, or the ticket has stopped waiting', async () => {
    const scene = await newScene();
    expect((await scene.take('first', 'gone')).takings).toEqual(['idle']);
    expect(await scene.enter()).toBe(true);
    await scene.follow('worker');
    expect((await scene.take('first', 'worker')).takings).toMatchObject([{ id: 'doc-1' }]);
    await scene.queue.finish([{ ticket: 'first', id: 'doc-1', workMs: 1, isDone: true }]);
    expect((await scene.take('first')).takings).toEqual(['idle']);
    expect((await scene.take('first', 'worker', false)).takings).toEqual(['end']);
    expect(await scene.enter()).toBe(true);
  });

  it('that a crash kept from its queue comes with the next document, and by the sweep', async () => {
    const scene = await newScene();
    expect(await scene.enter()).toBe(true);
    expect(await scene.queue.repair()).toBe(1);
    await scene.add();
    expect(await scene.queue.repair()).toBe(0);
    const first = await scene.take((await scene.fetch()) ?? '');
    expect(first).toMatchObject({ takings: [{ id: 'doc-1' }], missingTickets: 1 });
  });

  it('takes and ends nothing for a worker that has lost its lock', async () => {
    const scene = await newScene();
    await scene.add();
    await scene.redis.set(`${scene.bull}mine:lock`, 'token');
    const take = (token: string) => scene.queue.take({ ...wide, workerId: 'w', tickets: [{ id: 'mine', token }] });
    expect((await take('earlier token')).takings).toEqual(['end']);
    expect((await take('token')).takings).toMatchObject([{ id: 'doc-1' }]);
    const finish = (token: string) =>
      scene.queue.finish([{ ticket: 'mine', token, id: 'doc-1', workMs: 1, isDone: true }]);
    await finish('earlier token');
    expect((await scene.queue.backlog('one')).assigned).toBe(1);
    await finish('token');
    expect((await scene.queue.backlog('one')).assigned).toBe(0);
  });

  it.each([
    { size: 'no', bytes: undefined, received: undefined },
    { size: 'small', bytes: Buffer.from([0xff, 0x00, 0xc3]), received: Buffer.from([0xff, 0x00, 0xc3]) },
    { size: 'large', bytes: Buffer.alloc(16 * 1024 + 1), received: undefined },
  ])('brings $size data with the document', async ({ bytes, received }) => {
    const scene = await newScene();
    if (bytes !== undefined) await scene.redis.set(transientKey(scene.prefix, 'data', 'doc-1'), bytes);
    await scene.add();
    expect((await scene.take('first')).takings).toMatchObject([{ id: 'doc-1', data: received }]);
  });

  it('serves the next document with the call that ends the last one', async () => {
    const scene = await newScene();
    await scene.add();
    await scene.add();
    await scene.take('first');
    const finishes = [{ ticket: 'first', id: 'doc-1', workMs: 1, isDone: true }];
    const next = await scene.queue.take({ ...wide, workerId: 'w', tickets: [{ id: 'first' }], finishes });
    expect(next.takings).toMatchObject([{ id: 'doc-2' }]);
    expect(await scene.queues.findMissing('docx', ['doc-1'])).toEqual(['doc-1']);
    // Recorded again, because the answer was lost: the ticket keeps what it serves now.
    await scene.queue.finish(finishes);
    expect((await scene.queue.backlog('one')).assigned).toBe(1);
  });
});

it.each([1, 2])(
  'every waiting document has a ticket that comes for it, in any order of steps: seed %i',
  async (seed) => {
    const scene = await newScene();
    const random = createRandom(seed);
    const workers = [await newWalker(scene, 'a', random), await newWalker(scene, 'b', random)] as const;
    let additions = 0;
    const step = async (canEnter: boolean): Promise<void> => {
      const worker = random.pick(workers);
      switch (random.below(canEnter ? 6 : 5)) {
        case 0:
          for (; additions > 0; additions--) await scene.queues.addTickets('docx', 1);
          return;
        case 1:
          return await worker.fetch();
        case 2:
          additions += worker.receive();
          return;
        case 3:
          additions += await worker.take();
          return;
        case 4:
          return worker.endOne();
        case 5:
          for (let count = random.below(4); count > 0; count--)
            if (await scene.enter(`account-${random.below(3)}`)) additions += 1;
      }
    };
    const check = async (): Promise<void> => {
      const { depth } = await scene.queue.backlog('');
      const isComing =
        additions > 0 || (await scene.waitingTickets()) > 0 || workers.some((worker) => worker.isComing());
      expect(depth === 0 || isComing).toBe(true);
    };
    for (let count = 0; count < 480; count++) {
      await step(count % 24 < 8);
      await Promise.all(workers.map((worker) => worker.sync()));
      await check();
    }
    const served = (): readonly string[] => workers.flatMap((worker) => worker.served);
    while (served().length < scene.documents()) await step(false);
    expect(new Set(served()).size).toBe(scene.documents());
    expect(served()).toHaveLength(scene.documents());
  },
);

/** A worker whose steps are taken one at a time. It has two permits, and one for an account. */
async function newWalker(scene: Awaited<ReturnType<typeof newScene>>, workerId: string, random: Random) {
  const { received, subscriber } = await scene.follow(workerId);
  const served: string[] = [];
  const idle = new Set<string>();
  /** Tickets that will take, and those that wait for permits. */
  let asking: string[] = [];
  let refused: string[] = [];
  const running = new Map<string, { readonly id: string; readonly accountId: string }>();
  const finishes: { ticket: string; id: string; workMs: number; isDone: true }[] = [];
  const settle = async (ticket: string, taking: Taking | undefined): Promise<void> => {
    if (typeof taking === 'object') {
      served.push(taking.id);
      running.set(ticket, taking);
    } else if (taking === 'idle') idle.add(ticket);
    else if (taking === 'wait') refused.push(ticket);
    else await scene.end(ticket);
  };
  return {
    served,
    isComing: () => asking.length > 0 || received.length > 0,
    /** Messages sent so far have been received. */
    sync: () => ping(subscriber),
    async fetch(): Promise<void> {
      // As many jobs at a time as a worker with three slots.
      const ticket = asking.length + refused.length + running.size + idle.size < 3 ? await scene.fetch() : undefined;
      if (ticket !== undefined) asking.push(ticket);
    },
    /** Returns the number of tickets to add. */
    receive(): number {
      const ticket = received.shift();
      if (ticket === undefined) return 0;
      if (!idle.delete(ticket)) return 1;
      asking.push(ticket);
      return 0;
    },
    async take(): Promise<number> {
      const known = new Set(refused);
      const asked = [...refused, ...asking];
      asking = [];
      refused = [];
      if (asked.length === 0 && idle.size > 0) asked.push(...idle);
      for (const ticket of asked) idle.delete(ticket);
      const mayStay = random.below(4) > 0;
      const { takings, missingTickets } = await scene.queue.take({
        workerId,
        tickets: asked.map((id) => ({ id, mayStay, isKnown: known.has(id) })),
        finishes: finishes.splice(0),
        freePermits: 3 - running.size,
        permitsPerAccount: 1,
        heldPermits: new Map(Array.from(running.values(), ({ accountId }) => [accountId, 1])),
      });
      for (const [index, ticket] of asked.entries()) await settle(ticket, takings[index]);
      return missingTickets;
    },
    endOne(): void {
      const [ticket = ''] = running.keys();
      const entry = running.get(ticket);
      if (entry === undefined) return;
      running.delete(ticket);
      finishes.push({ ticket, id: entry.id, workMs: random.below(20), isDone: true });
      asking.push(ticket);
    },
  };
}

const ping = async (subscriber: Redis): Promise<void> => void (await subscriber.ping());
