import { Redis } from 'ioredis';

/** Counters of a Redis server since its start. */
export interface RedisCount {
  /** By command, including calls from scripts. */
  readonly commands: Readonly<Record<string, { readonly calls: number; readonly usec: number }>>;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  readonly reads: number;
  readonly processorSeconds: number;
}

export interface RedisMeter {
  count(): Promise<RedisCount>;
  memoryBytes(): Promise<number>;
  /** Error replies since the start, by kind. */
  errors(): Promise<Readonly<Record<string, number>>>;
  close(): void;
}

export function openRedisMeter(url: string): RedisMeter {
  const redis = new Redis(url, { disableClientInfo: true });
  const number = (info: string, field: string): number =>
    Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);
  return {
    async count() {
      const [stats, commandStats, cpu] = await Promise.all([
        redis.info('stats'),
        redis.info('commandstats'),
        redis.info('cpu'),
      ]);
      const commands: Record<string, { calls: number; usec: number }> = {};
      for (const [, name = '', calls, usec] of commandStats.matchAll(/^cmdstat_(\S+?):calls=(\d+),usec=(\d+)/gm)) {
        commands[name] = { calls: Number(calls), usec: Number(usec) };
      }
      return {
        commands,
        receivedBytes: number(stats, 'total_net_input_bytes'),
        sentBytes: number(stats, 'total_net_output_bytes'),
        reads: number(stats, 'total_reads_processed'),
        processorSeconds: number(cpu, 'used_cpu_user') + number(cpu, 'used_cpu_sys'),
      };
    },
    memoryBytes: async () => number(await redis.info('memory'), 'used_memory'),
    async errors() {
      const info = await redis.info('errorstats');
      return Object.fromEntries(
        Array.from(info.matchAll(/^errorstat_(\S+?):count=(\d+)/gm), ([, kind, count]) => [kind, Number(count)]),
      );
    },
    close: () => redis.disconnect(),
  };
}

export interface RedisUse {
  readonly commandsPerDocument: Readonly<Record<string, number>>;
  /** Includes calls from scripts. */
  readonly callsPerDocument: number;
  readonly receivedBytesPerDocument: number;
  readonly sentBytesPerDocument: number;
  /** Reads from connections; one read may contain several requests. */
  readonly readsPerDocument: number;
  readonly processorMsPerDocument: number;
  /** The part of that time spent in the scripts of queues and limits, which stays on one node of a cluster. */
  readonly scriptMsPerDocument: number;
}

const perDocument = (value: number, documents: number): number => Math.round((value * 1_000) / documents) / 1_000;

export function redisUse(before: RedisCount, after: RedisCount, documents: number): RedisUse {
  const names = Object.keys(after.commands).filter((name) => !['info', 'ping'].includes(name));
  const calls = (name: string): number => (after.commands[name]?.calls ?? 0) - (before.commands[name]?.calls ?? 0);
  const share = (read: (count: RedisCount) => number): number => perDocument(read(after) - read(before), documents);
  const listed = names.map((name): [string, number] => [name, perDocument(calls(name), documents)]);
  const all = names.reduce((sum, name) => sum + calls(name), 0);
  return {
    commandsPerDocument: Object.fromEntries(listed.filter(([, each]) => each >= 0.01)),
    callsPerDocument: perDocument(all, documents),
    receivedBytesPerDocument: Math.round(share(({ receivedBytes }) => receivedBytes)),
    sentBytesPerDocument: Math.round(share(({ sentBytes }) => sentBytes)),
    readsPerDocument: share(({ reads }) => reads),
    processorMsPerDocument: share(({ processorSeconds }) => processorSeconds * 1_000),
    scriptMsPerDocument: share(({ commands }) => (commands.evalsha?.usec ?? 0) / 1_000),
  };
}
