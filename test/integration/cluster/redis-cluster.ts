import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePorts } from '../../../tools/local/ports.ts';
import { waitUntil } from '../../../tools/local/processes/wait-until.ts';
import type { ServiceContext } from '../../../tools/local/services/service.ts';

const slotCount = 16_384;

export interface ClusterNode {
  readonly port: number;
  readonly client: Redis;
  /** kill -9; the process table restarts it with its files, as an init system does. */
  kill(): void;
}

export interface RedisCluster {
  readonly nodes: readonly ClusterNode[];
  /** The first two nodes; clients learn the third from them. */
  readonly url: string;
  untilUp(): Promise<void>;
  /** The node that stores a key. */
  nodeOf(key: string): Promise<ClusterNode>;
  /** Disconnects; the process table stops the nodes. */
  disconnect(): void;
}

/** Three masters on loopback that share the slots, without replicas. */
export async function startRedisCluster(context: ServiceContext): Promise<RedisCluster> {
  const ports = await findFreePorts(6);
  const nodes = ports.slice(0, 3).map((port, index) => startNode(context, port, ports[index + 3] ?? 0));
  const [first] = nodes as [ClusterNode];
  const untilUp = () =>
    waitUntil(async () => (await Promise.all(nodes.map(isUp))).every(Boolean), {
      what: 'the cluster',
      timeoutMs: 120_000,
    });
  await waitUntil(async () => (await Promise.all(nodes.map(({ client }) => client.ping()))).length === 3, {
    what: 'three Redis servers',
    timeoutMs: 120_000,
  });
  const share = Math.ceil(slotCount / nodes.length);
  for (const [index, { client }] of nodes.entries()) {
    await client.cluster('ADDSLOTSRANGE', index * share, Math.min(slotCount, (index + 1) * share) - 1);
    await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, ports[3] ?? 0);
  }
  await untilUp();
  return {
    nodes,
    url: nodes
      .slice(0, 2)
      .map(({ port }) => `redis://127.0.0.1:${port}`)
      .join(','),
    untilUp,
    async nodeOf(key) {
      const slot = await first.client.cluster('KEYSLOT', key);
      const found = nodes[Math.floor(slot / share)];
      if (found === undefined) throw new Error(`no node for slot ${slot}`);
      return found;
    },
    disconnect() {
      for (const { client } of nodes) client.disconnect();
    },
  };
}

function startNode(context: ServiceContext, port: number, busPort: number): ClusterNode {
  const dir = join(context.layout.redis, String(port));
  mkdirSync(dir);
  const settings = {
    port,
    'cluster-port': busPort,
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'yes',
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': 2_000,
    'maxmemory-policy': 'noeviction',
  };
  const managed = context.table.start({
    name: `redis-${port}`,
    command: 'redis-server',
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]),
    env: context.env,
    logFile: join(context.layout.logs, `redis-${port}.log`),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
    stopRank: 4,
  });
  managed.supervise();
  const client = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  const kill = (): void => {
    if (managed.pid === undefined) throw new Error('the node is not running');
    process.kill(managed.pid, 'SIGKILL');
  };
  return { port, client, kill };
}

async function isUp({ client }: ClusterNode): Promise<boolean> {
  const info = String(await client.cluster('INFO'));
  return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info);
}
