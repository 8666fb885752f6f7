import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from '../../test/faults/harness/harness.ts';
import type { Random } from '../../test/faults/harness/random.ts';
import type { ServiceProcess } from '../../test/faults/harness/service-process.ts';
import { until } from '../../test/faults/harness/until.ts';
import type { Tally } from './orders.ts';

/** The processes that may be hit; others are spared, so that memory can be watched over the whole soak. */
export interface Prey {
  readonly kind: 'api' | 'worker';
  readonly start: () => Promise<ServiceProcess>;
  process: ServiceProcess;
}

interface Fault {
  readonly name: string;
  readonly weight: number;
  readonly run: (h: Harness, prey: readonly Prey[], random: Random) => Promise<void>;
}

function pick(prey: readonly Prey[], kind: Prey['kind'], random: Random): Prey {
  const living = prey.filter((one) => one.kind === kind);
  const chosen = living[Math.floor(random() * living.length)];
  if (chosen === undefined) throw new Error(`no ${kind} to hit`);
  return chosen;
}

/** What an init system does with a process that died, and a deployment with one that was asked to leave. */
async function startAgain(one: Prey): Promise<void> {
  await delay(500);
  one.process = await one.start();
}

const kill = (kind: Prey['kind']) => async (_h: Harness, prey: readonly Prey[], random: Random) => {
  const one = pick(prey, kind, random);
  await one.process.kill();
  await startAgain(one);
};

const replace = (kind: Prey['kind']) => async (_h: Harness, prey: readonly Prey[], random: Random) => {
  const one = pick(prey, kind, random);
  const old = one.process;
  one.process = await one.start();
  await old.stop();
};

const faults: readonly Fault[] = [
  { name: 'worker killed', weight: 30, run: kill('worker') },
  { name: 'API killed', weight: 20, run: kill('api') },
  { name: 'worker replaced', weight: 8, run: replace('worker') },
  { name: 'API replaced', weight: 8, run: replace('api') },
  {
    name: 'worker stopped for two locks',
    weight: 8,
    async run(_h, prey, random) {
      const { process } = pick(prey, 'worker', random);
      process.signal('SIGSTOP');
      await delay(6_000);
      process.signal('SIGCONT');
    },
  },
  { name: 'Redis killed', weight: 8, run: async (h) => h.backing.redis.signal('SIGKILL') },
  { name: 'Redis emptied', weight: 2, run: async (h) => void (await h.backing.redis.client.flushall()) },
  { name: 'Redis lost with its disk', weight: 2, run: (h) => h.backing.redis.loseEverything() },
  { name: 'Redis connections reset', weight: 4, run: async (h) => h.backing.redis.proxy.resetAll() },
  { name: 'PostgreSQL stopped at once', weight: 3, run: async (h) => h.backing.postgres.signal('SIGQUIT') },
  { name: 'PostgreSQL connections reset', weight: 4, run: async (h) => h.backing.postgres.proxy.resetAll() },
  {
    name: 'S3 away for 3 s',
    weight: 3,
    async run({ backing: { s3 } }) {
      await s3.proxy.refuse();
      await delay(3_000);
      await s3.proxy.heal();
    },
  },
  { name: 'mail connections reset', weight: 4, run: async (h) => h.backing.mail.proxy.resetAll() },
];

/** One fault after another, some seconds apart, until the soak is over. */
export async function runChaos(
  h: Harness,
  prey: readonly Prey[],
  options: { readonly random: Random; readonly tally: Tally; readonly isOver: () => boolean },
): Promise<void> {
  const { random, tally, isOver } = options;
  const whole = faults.reduce((sum, { weight }) => sum + weight, 0);
  while (!isOver()) {
    await delay(2_000 + random() * 8_000);
    if (isOver()) return;
    let left = random() * whole;
    const fault = faults.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (fault === undefined) continue;
    await fault.run(h, prey, random);
    tally.faults.set(fault.name, (tally.faults.get(fault.name) ?? 0) + 1);
    await until('Redis answering', async () => (await h.backing.redis.client.ping()) === 'PONG');
  }
}
