import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { type Connections, openConnections } from '../../src/shared/connections.ts';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { bullPrefix } from '../../src/shared/queue/contracts.ts';
import { openAccount, type TestAccountKey } from '../../test/faults/client/account.ts';
import { projectFolder, ServiceProcess } from '../../test/faults/harness/service-process.ts';
import { openFolder, startBackingServices } from '../../tools/local/backing-services.ts';
import { ensureBuilt } from '../../tools/local/build.ts';
import { findFreePorts } from '../../tools/local/ports.ts';

export interface Tenant extends TestAccountKey {
  readonly templateId: string;
}

/** PostgreSQL, Redis, an S3 server, one API and workers from the production build, of the bench's own. */
export interface Stack {
  readonly connections: Connections;
  readonly api: string;
  readonly workers: ServiceProcess[];
  /** The first process of each part by its name. */
  readonly pids: ReadonlyMap<string, number>;
  tenant(example: string): Promise<Tenant>;
  startWorker(): Promise<ServiceProcess>;
  lane(name: 'docx' | 'pdf'): Queue;
  close(): Promise<void>;
}

const prefix = 'bench';
const accountDocs = 1_000_000;

export async function startStack(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-bench-'));
  const { context, close } = await openFolder(folder, process.env, () => undefined);
  const { postgres, redis, s3 } = await startBackingServices(context);
  await migrateDatabase(postgres.databaseUrl);
  const variables = {
    DATABASE_URL: postgres.databaseUrl,
    REDIS_URL: redis.redisUrl,
    S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
    S3_REGION: s3.access.region,
    S3_BUCKET: s3.access.bucket,
    S3_ACCESS_KEY_ID: s3.access.accessKey,
    S3_SECRET_ACCESS_KEY: s3.access.secretKey,
    SMTP_URL: 'smtp://127.0.0.1:9',
    QUEUE_PREFIX: prefix,
    RATE_LIMIT_REQUESTS: '0',
    LOG_LEVEL: 'warn',
    OFFICE_TEMP_DIR: join(folder, 'office'),
    ...env,
  };
  mkdirSync(variables.OFFICE_TEMP_DIR);
  const logger = createLogger('silent', 'bench');
  const config = loadWorkerConfig(variables);
  const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'subscriber' }, logger);
  const { PATH = '', HOME = '/' } = process.env;
  const processes: ServiceProcess[] = [];
  const start = async (kind: 'api' | 'worker'): Promise<ServiceProcess> => {
    const [port = 0, operationsPort = 0] = await findFreePorts(2);
    const name = `${kind}-${processes.length + 1}`;
    const logFile = join(folder, `${name}.log`);
    const started = new ServiceProcess({
      name,
      kind,
      port,
      operationsPort,
      logFile,
      env: { PATH, HOME, ...variables },
    });
    processes.push(started);
    return started.ready();
  };
  const workers: ServiceProcess[] = [];
  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await start('worker');
    workers.push(worker);
    return worker;
  };
  const [api, worker] = await Promise.all([start('api'), startWorker()]);
  const named = { api, worker, postgres: postgres.process, redis: redis.process, s3: s3.process };
  const pids = new Map(Object.entries(named).map(([name, part]) => [name, part.pid ?? -1] as const));
  const queues = new Map(
    (['docx', 'pdf'] as const).map((name) => [
      name,
      new Queue(name, { connection: connections.redis, prefix: bullPrefix(prefix, name) }),
    ]),
  );
  return {
    connections,
    api: api.url,
    workers,
    pids,
    startWorker,
    tenant: (example) => openTenant(connections, api.url, example),
    lane(name) {
      const queue = queues.get(name);
      if (queue === undefined) throw new Error(`no queue ${name}`);
      return queue;
    },
    async close() {
      for (const running of processes) if (running.exit === undefined) await running.kill();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      for (const step of connections.closing) await step.run();
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openTenant(connections: Connections, api: string, example: string): Promise<Tenant> {
  const account = await openAccount(connections.database.db, { credits: accountDocs });
  const form = new FormData();
  form.set('name', `${example}.docx`);
  form.set('file', new Blob([new Uint8Array(readFileSync(join(projectFolder, `examples/${example}.docx`)))]), 'a.docx');
  const headers = { Authorization: `Bearer ${account.apiKey}` };
  const answer = await fetch(`${api}/v1/templates`, { method: 'POST', body: form, headers });
  if (answer.status !== 201) throw new Error(`the template was answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return { ...account, templateId: id };
}
