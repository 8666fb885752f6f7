import { describe, expect, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import { arrivalChannel, type TakeRequest, type Taking } from '../../../src/shared/queue/fair/fair-queue.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { newPrefix, silent, startOwnRedis, useRedis } from '../../support/services/redis.ts';

async function newScene(port?: number) {
  const prefix = newPrefix();
  const redis = await useRedis('commands', port);
  const queues = createQueues(redis, prefix, silent);
  onTestFinished(() => queues.close());
  const queue = queues.fair('docx');
  let tickets = 0;
  return {
    prefix,
    redis,
    queues,
    queue,
    /** Adds documents of an account, one after the other; returns their ids. */
    async add(accountId: string, count = 1): Promise<readonly string[]> {
      const ids = Array.from({ length: count }, (_, index) => `${accountId}-${index}`);
      for (const id of ids) await queues.add('docx', id, { documentId: id, accountId, replyTo: null });
      return ids;
    },
    /** Takes as a worker that has nothing yet would. Returns the tickets with what they serve. */
    async take(count: number, { tickets: known, ...changes }: TakeChanges = {}) {
      const names = known ?? Array.from({ length: count }, () => `t${++tickets}`);
      const { takings, missingTickets } = await queue.take({
        ...anyRequest,
        tickets: names.map((id) => ({ id, mayStay: changes.mayStay })),
        ...changes,
      });
      return { tickets: names, ids: takings.map(idOf), missingTickets };
    },
    /** Serves documents one at a time, each for its time, and returns the accounts in this order. */
    async serve(count: number, workMsOf: (accountId: string) => number): Promise<readonly string[]> {
      const served: string[] = [];
      for (let index = 0; index < count; index++) {
        const ticket = `s${++tickets}`;
        const [taking] = (await queue.take({ ...anyRequest, tickets: [{ id: ticket }] })).takings;
        if (typeof taking !== 'object') break;
        const { id, accountId } = taking;
        served.push(accountId);
        await queue.finish([{ ticket, id, workMs: workMsOf(accountId), isDone: true }]);
      }
      return served;
    },
    /** Creates the BullMQ job of a ticket that a worker would hold. */
    keepTicket: (ticket: string) => redis.hset(`${bullPrefix(prefix, 'docx')}:docx:${ticket}`, 'name', 'ticket'),
    loseTicket: (ticket: string) => redis.del(`${bullPrefix(prefix, 'docx')}:docx:${ticket}`),
  };
}

const anyRequest = {
  workerId: 'worker',
  finishes: [],
  freePermits: 1_000,
  permitsPerAccount: 1_000,
  heldPermits: new Map<string, number>(),
} satisfies Omit<TakeRequest, 'tickets'>;

type TakeChanges = Partial<Omit<TakeRequest, 'tickets'>> & {
  readonly tickets?: readonly string[];
  readonly mayStay?: boolean;
};

/** The id of the entry, or what a ticket without one shall do. */
const idOf = (taking: Taking): string => (typeof taking === 'object' ? taking.id : taking);

const countOf = (accounts: readonly string[], account: string) => accounts.filter((one) => one === account).length;

describe('the next document', () => {
  it('belongs to an account that has just arrived, however many others wait', async () => {
    const scene = await newScene();
    await scene.add('loud', 50);
    await scene.serve(10, () => 100);
    await scene.add('quiet');
    const order = await scene.serve(3, () => 100);
    expect(order.indexOf('quiet')).toBeLessThanOrEqual(1);
  });

  it('is chosen so that accounts get equal working time, not equally many documents', async () => {
    const scene = await newScene();
    await scene.add('slow', 100);
    await scene.add('quick', 100);
    const order = await scene.serve(60, (account) => (account === 'slow' ? 90 : 10));
    const slow = countOf(order.slice(10), 'slow');
    expect(slow).toBeGreaterThanOrEqual(3);
    expect(slow).toBeLessThanOrEqual(8);
  });

  it('sometimes belongs to a heavy account, even with a stream of newcomers', async () => {
    const scene = await newScene();
    await scene.add('heavy', 100);
    await scene.serve(5, () => 1_000);
    const order: string[] = [];
    for (let round = 0; round < 300; round++) {
      await scene.add(`new-${round}`);
      order.push(...(await scene.serve(1, () => 50)));
    }
    expect(countOf(order, 'heavy')).toBeGreaterThanOrEqual(3);
  });

  it('is not chosen to reward an account for having been idle', async () => {
    const scene = await newScene();
    await scene.add('busy', 200);
    await scene.serve(100, () => 50);
    await scene.add('idle', 100);
    const order = await scene.serve(40, () => 50);
    expect(countOf(order, 'idle')).toBeGreaterThanOrEqual(18);
    expect(countOf(order, 'idle')).toBeLessThanOrEqual(22);
  });

  it('comes from another account when the first one has used its permits', async () => {
    const scene = await newScene();
    await scene.add('loud', 5);
    const first = await scene.take(3, { permitsPerAccount: 2 });
    expect(first.ids).toEqual(['loud-0', 'loud-1', 'wait']);
    await scene.add('quiet');
    const second = await scene.take(2, { permitsPerAccount: 2, heldPermits: new Map([['loud', 2]]) });
    expect(second.ids).toEqual(['quiet-0', 'wait']);
  });

  it('comes from no account while no permit is free, however many tickets there are', async () => {
    const scene = await newScene();
    await scene.add('one');
    expect((await scene.take(2, { freePermits: 0 })).ids).toEqual(['wait', 'wait']);
    expect((await scene.take(2, { freePermits: 1 })).ids).toEqual(['one-0', 'end']);
  });

  it('belongs to an account without a permit when one permit is left', async () => {
    const scene = await newScene();
    await scene.add('loud', 5);
    const first = await scene.take(3, { freePermits: 3 });
    expect(first.ids).toEqual(['loud-0', 'loud-1', 'wait']);
    await scene.add('quiet');
    expect((await scene.take(1, { freePermits: 1, heldPermits: new Map([['loud', 2]]) })).ids).toEqual(['quiet-0']);
  });
});

describe('an assigned document', () => {
  it('stays with its ticket when the worker is lost, and is served again by it', async () => {
    const scene = await newScene();
    await scene.add('one', 2);
    const { tickets } = await scene.take(1);
    const [ticket = ''] = tickets;
    await scene.keepTicket(ticket);
    expect(await scene.queues.has('docx', 'one-0')).toBe(true);
    expect((await scene.take(1, { tickets: [ticket] })).ids).toEqual(['one-0']);
    await scene.queue.finish([{ ticket, id: 'one-0', workMs: 1, isDone: true }]);
    expect(await scene.queues.findMissing('docx', ['one-0', 'one-1'])).toEqual(['one-0']);
  });

  it('waits behind others for its retry while its account has used its permits', async () => {
    const scene = await newScene();
    await scene.add('loud', 1);
    const { tickets } = await scene.take(1);
    await scene.keepTicket(tickets[0] ?? '');
    await scene.queue.finish([{ ticket: tickets[0] ?? '', id: 'loud-0', workMs: 5, isDone: false }]);
    await scene.add('quiet');
    const again = await scene.take(1, { tickets, permitsPerAccount: 1, heldPermits: new Map([['loud', 1]]) });
    expect(again.ids).toEqual(['quiet-0']);
    expect((await scene.take(1)).ids).toEqual(['loud-0']);
  });

  it('counts as missing once its ticket is lost, and may be added again', async () => {
    const scene = await newScene();
    await scene.add('one');
    const { tickets } = await scene.take(1);
    await scene.keepTicket(tickets[0] ?? '');
    await scene.add('one');
    expect((await scene.queue.backlog('one')).depth).toBe(0);
    await scene.loseTicket(tickets[0] ?? '');
    expect(await scene.queues.has('docx', 'one-0')).toBe(false);
    await scene.add('one');
    expect(await scene.queues.has('docx', 'one-0')).toBe(true);
    expect((await scene.take(1)).ids).toEqual(['one-0']);
    expect((await scene.queue.backlog('one')).assigned).toBe(1);
  });

  it('leaves nothing behind when a sweep runs between the end of its ticket and its own', async () => {
    const scene = await newScene();
    await scene.add('one');
    const { tickets } = await scene.take(1);
    const keys = () => scene.redis.keys(`*${scene.prefix}-docx}:fair:*`);
    expect((await keys()).some((key) => key.includes(':entry:'))).toBe(true);
    // BullMQ has removed the job of the ticket.
    await scene.queue.repair();
    await scene.queue.finish([{ ticket: tickets[0] ?? '', id: 'one-0', workMs: 5, isDone: true }]);
    expect((await keys()).filter((key) => key.includes(':entry:'))).toEqual([]);
    expect((await scene.queue.backlog('one')).assigned).toBe(0);
  });

  it('cannot be ended by a slow worker after another worker took it', async () => {
    const scene = await newScene();
    await scene.add('one');
    const { tickets } = await scene.take(1);
    await scene.add('one');
    const second = await scene.take(1);
    expect(second.ids).toEqual(['one-0']);
    await scene.keepTicket(second.tickets[0] ?? '');
    await scene.queue.finish([{ ticket: tickets[0] ?? '', id: 'one-0', workMs: 5, isDone: true }]);
    expect(await scene.queues.has('docx', 'one-0')).toBe(true);
  });
});

describe('tickets', () => {
  it('end when they find nothing, and wait when they find only refused accounts', async () => {
    const scene = await newScene();
    expect(await scene.take(1)).toMatchObject({ ids: ['end'], missingTickets: 0 });
    await scene.add('one', 2);
    expect(await scene.take(1, { permitsPerAccount: 0 })).toMatchObject({ ids: ['wait'], missingTickets: 0 });
  });

  it('are counted as lost when one is needed, and by the sweep', async () => {
    const scene = await newScene();
    await scene.add('one', 3);
    await scene.redis.del(`${bullPrefix(scene.prefix, 'docx')}:docx:wait`);
    expect((await scene.take(1, { permitsPerAccount: 0 })).missingTickets).toBe(3);
    expect(await scene.queue.repair()).toBe(3);
    await scene.queues.addTickets('docx', 3);
    expect(await scene.queue.repair()).toBe(0);
  });

  it('are forgotten by the sweep when their worker never ended them', async () => {
    const scene = await newScene();
    await scene.add('one', 2);
    const { tickets } = await scene.take(2);
    await scene.keepTicket(tickets[0] ?? '');
    await scene.queue.repair();
    expect((await scene.queue.backlog('one')).assigned).toBe(1);
  });

  it('are added even when Redis has forgotten its scripts', async () => {
    // Other tests need the scripts of the shared server.
    const scene = await newScene(await startOwnRedis());
    await scene.redis.script('FLUSH');
    await scene.add('one');
    expect(await scene.queue.repair()).toBe(0);
    expect((await scene.take(1)).ids).toEqual(['one-0']);
  });
});

it('arrivals are published only while a worker waits for them', async () => {
  const scene = await newScene();
  const received: string[] = [];
  const subscriber = await useRedis('subscriber');
  subscriber.on('message', (_channel: string, account: string) => received.push(account));
  await subscriber.subscribe(arrivalChannel(scene.prefix, 'docx'));
  await scene.add('one');
  await scene.take(1, { permitsPerAccount: 0 });
  await scene.add('two');
  await expect.poll(() => received).toEqual(['two']);
});

it('the backlog is counted in all and for one account', async () => {
  const scene = await newScene();
  await scene.add('loud', 7);
  await scene.add('quiet');
  await scene.take(2);
  expect(await scene.queue.backlog('loud')).toMatchObject({ depth: 6, ownDepth: 6, accounts: 1, assigned: 2 });
  expect(await scene.queue.backlog('quiet')).toMatchObject({ depth: 6, ownDepth: 0, ownAgeMs: 0 });
  await expect.poll(async () => (await scene.queue.backlog('loud')).ownAgeMs).toBeGreaterThan(20);
});

it('the queue uses as many commands with 10 as with 10,000 waiting documents', async () => {
  const scene = await newScene(await startOwnRedis());
  const countSoFar = async (): Promise<number> => {
    const stats = await scene.redis.info('commandstats');
    const counted = stats.matchAll(/cmdstat_(\w+)\S*:calls=(\d+)/g);
    // The first arrival of a second also removes the counts of old ones.
    const others = ['info', 'hkeys', 'hdel', 'expire'];
    return [...counted].reduce((sum, [, name = '', calls]) => sum + (others.includes(name) ? 0 : Number(calls)), 0);
  };
  const measure = async (): Promise<number> => {
    const before = await countSoFar();
    await scene.queues.add('docx', 'probe', { documentId: 'probe', accountId: 'quiet', replyTo: null });
    const { tickets, ids } = await scene.take(1, { heldPermits: new Map([['loud', 1_000]]) });
    expect(ids).toEqual(['probe']);
    await scene.queue.backlog('quiet');
    await scene.queues.has('docx', 'loud-3');
    await scene.queue.repair();
    await scene.queue.finish([{ ticket: tickets[0] ?? '', id: 'probe', workMs: 10, isDone: true }]);
    return (await countSoFar()) - before;
  };
  await scene.queues.addMany('docx', jobsOf('loud', 10));
  await measure();
  const few = await measure();
  for (let part = 0; part < 20; part++) await scene.queues.addMany('docx', jobsOf(`loud-${part}`, 500));
  const many = await measure();
  expect(many).toBe(few);
});

const jobsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    jobId: `${name}-${count}-${index}`,
    payload: { documentId: 'doc', accountId: 'loud', replyTo: null },
  }));
