import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { Database } from '../../../src/shared/db/client.ts';
import { type ServiceContext, untilReady } from '../../../tools/local/services/service.ts';
import { openAccount } from '../../faults/client/account.ts';
import { newPrefix } from '../../support/services/redis.ts';
import type { RedisCluster } from './redis-cluster.ts';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

export interface ClusterService {
  readonly url: string;
  readonly prefix: string;
}

/**
 * An API and a worker in separate processes on a Redis Cluster and a database of their own, whose rows their sweeps
 * change, with all queues but those of LibreOffice and mail.
 */
export async function startClusterService(
  context: ServiceContext,
  { url: databaseUrl }: { readonly url: string },
  cluster: RedisCluster,
  changes: Readonly<Record<string, string>> = {},
): Promise<ClusterService> {
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const prefix = newPrefix();
  const variables = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: cluster.url,
    REDIS_CLUSTER: 'true',
    QUEUE_PREFIX: prefix,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: prefix,
    S3_ACCESS_KEY_ID: accessKey,
    S3_SECRET_ACCESS_KEY: secretKey,
    SMTP_URL: inject('smtpUrl'),
    WORKER_QUEUES: 'docx,docx-batch,inspect,webhook,bundle,maintenance',
    OFFICE_TEMP_DIR: context.layout.root,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    SWEEP_INTERVAL_MS: '1000',
    PORT: '0',
    METRICS_PORT: '0',
    JOB_LOCK_MS: '4000',
    JOB_STALLED_CHECK_MS: '1000',
    DATABASE_TIMEOUT_MS: '20000',
    ...changes,
  };
  /** Resolves with its port for requests once it is ready. */
  const start = async (name: 'api' | 'worker'): Promise<number | undefined> => {
    const logFile = join(context.layout.logs, `${name}.log`);
    const started = context.table.start({
      name,
      command: process.execPath,
      args: [`dist/${name}/main.js`],
      cwd: projectFolder,
      env: { ...context.env, ...variables },
      logFile,
      stopSignal: 'SIGTERM',
      graceMs: 20_000,
      stopRank: 1,
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${portsIn(logFile).metricsPort}/readyz`)).ok;
    await untilReady(started, isReady, 150_000);
    return portsIn(logFile).address?.port;
  };
  const [port] = await Promise.all([start('api'), start('worker')]);
  return { url: `http://127.0.0.1:${port}`, prefix };
}

interface Listening {
  readonly address?: { readonly port: number };
  readonly metricsPort: number;
}

/** The ports that a process has chosen and logged. */
function portsIn(logFile: string): Listening {
  const line = readFileSync(logFile, 'utf8')
    .split('\n')
    .find((text) => text.includes('"metricsPort":'));
  return JSON.parse(line ?? '') as Listening;
}

export interface ClusterClient {
  readonly templateId: string;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  generate(data: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  docsLeft(): Promise<number>;
}

/** A new account with the example letter as its template. */
export async function newClusterClient({ url }: ClusterService, db: Database, credits = 1_000): Promise<ClusterClient> {
  const { apiKey } = await openAccount(db, { credits });
  const Authorization = `Bearer ${apiKey}`;
  const call: ClusterClient['call'] = (method, path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { Authorization, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const form = new FormData();
  form.set('name', 'letter.docx');
  const bytes = new Uint8Array(readFileSync(join(projectFolder, 'examples/letter.docx')));
  form.set('file', new Blob([bytes]), 'letter.docx');
  const uploaded = await fetch(`${url}/v1/templates`, { method: 'POST', body: form, headers: { Authorization } });
  if (uploaded.status !== 201) throw new Error(`the upload failed with ${uploaded.status}: ${await uploaded.text()}`);
  const { id: templateId } = (await uploaded.json()) as { id: string };
  return {
    templateId,
    call,
    generate: (data, headers) => call('POST', `/v1/templates/${templateId}/generate`, { data }, headers),
    async docsLeft() {
      const quotas = (await (await call('GET', '/v1/account/quotas')).json()) as {
        remaining: { total: { docs: number } };
      };
      return quotas.remaining.total.docs;
    },
  };
}
