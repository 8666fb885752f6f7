import { setTimeout as delay } from 'node:timers/promises';
import type { Harness } from '../../test/faults/harness/harness.ts';
import type { Random } from '../../test/faults/harness/random.ts';
import type { ServiceProcess } from '../../test/faults/harness/service-process.ts';
import { until } from '../../test/faults/harness/until.ts';
import type { Tally } from './load.ts';

/**
 * A process that faults may hit. Other processes are spared, so that their memory can be measured over the whole soak.
 */
export interface Target {
  readonly kind: 'api' | 'worker';
  readonly start: () => Promise<ServiceProcess>;
  process: ServiceProcess;
}

interface Fault {
  readonly name: string;
  readonly weight: number;
  readonly run: (h: Harness, targets: readonly Target[], random: Random) => Promise<void>;
}

function pick(targets: readonly Target[], kind: Target['kind'], random: Random): Target {
  const candidates = targets.filter((one) => one.kind === kind);
  const chosen = candidates[Math.floor(random() * candidates.length)];
  if (chosen === undefined) throw new Error(`no ${kind} is running`);
  return chosen;
}

/** Restarts a process as an init system does. */
async function restart(one: Target): Promise<void> {
  await delay(500);
  one.process = await one.start();
}

const kill = (kind: Target['kind']) => async (_h: Harness, targets: readonly Target[], random: Random) => {
  const one = pick(targets, kind, random);
  await one.process.kill();
  await restart(one);
};

const replace = (kind: Target['kind']) => async (_h: Harness, targets: readonly Target[], random: Random) => {
  const one = pick(targets, kind, random);
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
    name: 'worker suspended for longer than its job lock',
    weight: 8,
    async run(_h, targets, random) {
      const { process } = pick(targets, 'worker', random);
      process.signal('SIGSTOP');
      await delay(6_000);
      process.signal('SIGCONT');
    },
  },
  { name: 'Redis killed', weight: 8, run: async (h) => h.backing.redis.signal('SIGKILL') },
  { name: 'Redis emptied', weight: 2, run: async (h) => void (await h.backing.redis.client.flushall()) },
  { name: 'Redis lost including its disk', weight: 2, run: (h) => h.backing.redis.loseEverything() },
  { name: 'Redis connections reset', weight: 4, run: async (h) => h.backing.redis.proxy.resetAll() },
  { name: 'PostgreSQL stopped immediately', weight: 3, run: async (h) => h.backing.postgres.signal('SIGQUIT') },
  { name: 'PostgreSQL connections reset', weight: 4, run: async (h) => h.backing.postgres.proxy.resetAll() },
  {
    name: 'S3 down for 3 s',
    weight: 3,
    async run({ backing: { s3 } }) {
      await s3.proxy.refuse();
      await delay(3_000);
      await s3.proxy.heal();
    },
  },
  { name: 'mail connections reset', weight: 4, run: async (h) => h.backing.mail.proxy.resetAll() },
];

/** Injects faults, some seconds apart, until the soak is over. */
export async function injectFaults(
  h: Harness,
  targets: readonly Target[],
  options: { readonly random: Random; readonly tally: Tally; readonly isOver: () => boolean },
): Promise<void> {
  const { random, tally, isOver } = options;
  const totalWeight = faults.reduce((sum, { weight }) => sum + weight, 0);
  while (!isOver()) {
    await delay(2_000 + random() * 8_000);
    if (isOver()) return;
    let left = random() * totalWeight;
    const fault = faults.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (fault === undefined) continue;
    await fault.run(h, targets, random);
    tally.faults.set(fault.name, (tally.faults.get(fault.name) ?? 0) + 1);
    await until('Redis answers', async () => (await h.backing.redis.client.ping()) === 'PONG');
  }
}
