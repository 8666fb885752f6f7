import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bullPrefix } from '../../../src/shared/queue/contracts.ts';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { type OpenFolder, openFolder } from '../../../tools/local/backing-services.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { together } from '../../support/domain/accounts.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newPrefix, silent } from '../../support/services/redis.ts';
import { newTransientStore } from '../../support/services/transient.ts';
import { type ClusterClient, type ClusterService, newClusterClient, startClusterService } from './cluster-service.ts';
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts';

const database = await useOwnDatabase();
const { db } = database;
const letter = JSON.parse(readFileSync('examples/letter.json', 'utf8')) as Record<string, unknown>;
const requestsPerWindow = 400;
let folder: OpenFolder;
let cluster: RedisCluster;
let service: ClusterService;
let client: ClusterClient;

beforeAll(async () => {
  const path = mkdtempSync(join(tmpdir(), 'docmill-cluster-'));
  folder = await openFolder(path, process.env, () => undefined);
  cluster = await startRedisCluster(folder.context);
  service = await startClusterService(folder.context, database, cluster, {
    RATE_LIMIT_REQUESTS: String(requestsPerWindow),
  });
  client = await newClusterClient(service, db);
});

afterAll(async () => {
  cluster?.disconnect();
  await folder.close();
  rmSync(folder.layout.root, { recursive: true, force: true });
});

async function openCluster() {
  const redis = openRedis({ REDIS_URL: cluster.url, REDIS_CLUSTER: true }, 'commands', silent);
  onTestFinished(() => redis.disconnect());
  await redisReady(redis, 10_000);
  return redis;
}

async function textOf(answer: Response): Promise<string> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(answer.status, Buffer.from(bytes).toString().slice(0, 300)).toBe(200);
  return docxText(bytes);
}

const numbered = (number: number) => ({ ...letter, reference: `No. ${number} of the cluster` });

describe('a Redis Cluster of three nodes', () => {
  it('waiting callers get their documents, each with the right data, and each is charged once', async () => {
    const before = await client.docsLeft();
    const texts = await together(24, async (number) => textOf(await client.generate(numbered(number))));
    for (const [number, text] of texts.entries()) expect(text).toContain(`No. ${number} of the cluster`);
    expect(await client.docsLeft()).toBe(before - 24);
  });

  it('queues and bytes are spread over the slots of all three nodes', async () => {
    for (const node of cluster.nodes) {
      const stats = await node.client.info('commandstats');
      expect(Number(/cmdstat_set:calls=(\d+)/.exec(stats)?.[1] ?? 0), `of ${node.port}`).toBeGreaterThan(0);
    }
  });

  it('a document can be fetched later', async () => {
    const accepted = await client.generate(numbered(7), { Prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const address = accepted.headers.get('Location') ?? '';
    const status = async () => ((await (await client.call('GET', address)).json()) as { status: string }).status;
    await expect.poll(status).toBe('succeeded');
    expect(await textOf(await client.call('GET', `${address}/content`))).toContain('No. 7 of the cluster');
  });

  it('every row of a batch is produced, and its zip is bundled', async () => {
    const rows = Array.from({ length: 30 }, (_, number) => `${JSON.stringify(numbered(number))}\n`).join('');
    const path = `/v1/templates/${client.templateId}/batches?bundle=zip`;
    const accepted = await client.call('POST', path, rows, { 'Content-Type': 'application/x-ndjson' });
    expect(accepted.status).toBe(202);
    const address = accepted.headers.get('Location') ?? '';
    const look = async () => (await (await client.call('GET', address)).json()) as { status: string };
    await expect.poll(async () => (await look()).status, { interval: 200 }).toBe('completed');
    expect(await look()).toMatchObject({ counts: { succeeded: 30, failed: 0 }, files: [{ firstRow: 1, lastRow: 30 }] });
  });

  it('large data on all nodes is counted until it is removed or lost', async () => {
    const redis = await openCluster();
    const prefix = newPrefix();
    const transient = newTransientStore(redis, prefix, { accountBytes: 100_000, totalBytes: 1_000_000 });
    const own = transient.of('a');
    const ids = Array.from({ length: 10 }, (_, number) => String(number));
    await Promise.all(ids.map((id) => own.put('data', id, Buffer.alloc(10_000, 'x'), 60)));
    await expect(own.put('data', 'more', Buffer.alloc(10_000), 60)).rejects.toMatchObject({ code: 'rate_limited' });
    for (const number of [0, 1, 2]) own.forget('data', String(number), 10_000);
    await expect.poll(() => transient.readTotalBytes()).toBe(70_000);
    for (const number of [3, 4, 5]) await redis.unlink(`${prefix}:data:${number}`);
    await transient.reconcile({ untilMs: Number.POSITIVE_INFINITY, graceMs: -60_000 });
    expect(await transient.readTotalBytes()).toBe(40_000);
  });

  it('a webhook reports the end of a document', async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.close());
    const other = await newClusterClient(service, db);
    const created = await other.call('POST', '/v1/webhooks', { url: receiver.url, events: ['document.succeeded'] });
    expect(created.status).toBe(201);
    await textOf(await other.generate(numbered(1)));
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(receiver.received[0]?.body).toContain('document.succeeded');
  });

  it('the rate limit is counted in the cluster, not per process', async () => {
    const other = await newClusterClient(service, db);
    const answers = await together(requestsPerWindow, async () => {
      const answer = await other.call('GET', '/v1/account/quotas');
      await answer.body?.cancel();
      return answer;
    });
    const left = answers.map((answer) => Number(/r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1]));
    // The upload of the template was the first request.
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(new Set(left).size).toBe(requestsPerWindow - 1);
    const counters = await Promise.all(cluster.nodes.map(({ client: node }) => node.keys(`${service.prefix}:rate:*`)));
    expect(counters.flat().length).toBeGreaterThan(0);
  });

  it('requests may be refused while a node is down, but no document is lost or charged without a result', async () => {
    const other = await newClusterClient(service, db);
    const node = await cluster.nodeOf(bullPrefix(service.prefix, 'docx'));
    const statuses: number[] = [];
    const late: string[] = [];
    const request = async (number: number): Promise<void> => {
      const answer = await other.generate(numbered(number));
      statuses.push(answer.status);
      if (answer.status === 200) expect(await textOf(answer)).toContain(`No. ${number} of the cluster`);
      else if (answer.status === 504) late.push(answer.headers.get('Document-Id') ?? '');
      else {
        expect(answer.status, await answer.text()).toBe(503);
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      }
    };
    let number = 0;
    await together(8, async () => {
      while (number < 150) {
        number += 1;
        if (number === 30) node.kill();
        await request(number);
      }
    });
    await cluster.untilUp();
    expect(statuses).toHaveLength(150);
    expect(await textOf(await other.generate(numbered(500)))).toContain('No. 500');
    for (const id of late) {
      const content = async () => (await other.call('GET', `/v1/jobs/${id}/content`)).status;
      await expect.poll(content, { interval: 500 }).toBe(200);
    }
    const succeededCount = statuses.filter((status) => status === 200).length + late.length + 1;
    await expect.poll(() => other.docsLeft(), { interval: 500 }).toBe(1_000 - succeededCount);
  });

  it('replies arrive again after each node was killed', async () => {
    const other = await newClusterClient(service, db);
    for (const node of cluster.nodes) {
      node.kill();
      await cluster.untilUp();
      const refusal = async () => {
        const answer = await other.generate(numbered(1));
        return answer.status === 200 ? undefined : `${answer.status} ${await answer.text()}`;
      };
      await expect.poll(refusal).toBeUndefined();
    }
    // A subscription to one node receives what any of them publishes.
    const subscriptions = async () =>
      (
        await Promise.all(cluster.nodes.map(({ client: node }) => node.pubsub('CHANNELS', `*${service.prefix}*`)))
      ).flat();
    await expect.poll(subscriptions).toContainEqual(expect.stringContaining('repl'));
    for (let number = 0; number < 10; number++) await textOf(await other.generate(numbered(number)));
  });
});

it('the cluster refuses a queue whose keys have no hash tag, and accepts ours, which share a slot', async () => {
  const redis = await openCluster();
  const prefix = newPrefix();
  const add = async (queuePrefix: string) => {
    const queue = new Queue('docx', { connection: redis, prefix: queuePrefix, skipVersionCheck: true });
    queue.on('error', () => undefined);
    onTestFinished(() => queue.close());
    return (await queue.add('docx', { documentId: 'doc' }, { jobId: 'doc-1' })).id;
  };
  await expect(add(prefix)).rejects.toThrow(/same slot|CROSSSLOT|same node/i);
  expect(await add(bullPrefix(prefix, 'docx'))).toBe('doc-1');
});
