import { startSide } from '../harness/side-process.ts';
import { median, rounded } from '../harness/statistics.ts';
import { letterBody, type Tenant } from './measure-point.ts';
import { recordCommands } from './record-commands.ts';
import { openRedisMeter, type RedisUse, redisUse } from './redis-meter.ts';
import { replayCommands } from './replay-commands.ts';
import type { Fabric } from './stack.ts';

export interface RedisAlone {
  readonly documents: number;
  /** What clients sent, without the calls of scripts. */
  readonly requestsPerDocument: number;
  readonly requestBytesPerDocument: number;
  /** Documents a second, of each round. */
  readonly perSecond: readonly number[];
  readonly medianPerSecond: number;
  /** Of the last round. */
  readonly use: RedisUse;
  /** Replies that were errors, of all rounds by kind: few, or the commands did not do what they did the first time. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Records the commands of real documents, then plays them back as fast as Redis takes them. */
export async function measureRedisAlone(
  fabric: Fabric,
  tenants: readonly Tenant[],
  documents: number,
  rounds: number,
): Promise<RedisAlone> {
  const { redisUrl, port } = fabric.redis;
  const fleet = await fabric.startFleet(1, 16);
  const load = await startSide(new URL('./load-side.ts', import.meta.url), {
    urls: fleet.urls,
    tenants,
    body: letterBody('docx'),
  });
  let recording: Awaited<ReturnType<typeof recordCommands>>;
  let made = 0;
  try {
    await load.run({ forMs: 1_000, atLeast: 32, lanes: 32 });
    recording = await recordCommands(port, async () => {
      made = (await load.run({ forMs: 0, atLeast: documents, lanes: 32 })).documents;
    });
  } finally {
    await load.close();
    await fleet.stop();
  }
  const meter = openRedisMeter(redisUrl);
  try {
    const perSecond: number[] = [];
    let use: RedisUse | undefined;
    const errorsBefore = await meter.errors();
    for (let round = 0; round < rounds; round++) {
      const before = await meter.count();
      const seconds = await replayCommands(redisUrl, recording);
      use = redisUse(before, await meter.count(), made);
      perSecond.push(rounded(made / seconds, 0));
    }
    if (use === undefined) throw new Error('no round was played');
    return {
      ...{ documents: made, perSecond, medianPerSecond: median(perSecond), use },
      requestsPerDocument: rounded(recording.commands.length / made, 1),
      requestBytesPerDocument: rounded(recording.commands.reduce((sum, { length }) => sum + length, 0) / made, 0),
      errors: increase(errorsBefore, await meter.errors()),
    };
  } finally {
    meter.close();
  }
}

function increase(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  const kinds = Object.entries(after).map(([kind, count]): [string, number] => [kind, count - (before[kind] ?? 0)]);
  return Object.fromEntries(kinds.filter(([, count]) => count > 0));
}
