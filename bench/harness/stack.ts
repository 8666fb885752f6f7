import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/shared/db/client.ts';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { openAccount } from '../../test/faults/client/account.ts';
import { openFolder, serviceVariables, startBackingServices } from '../../tools/local/backing-services.ts';
import { ensureBuilt } from '../../tools/local/build.ts';
import { findFreePort } from '../../tools/local/ports.ts';
import { startServiceProcesses } from '../../tools/local/service-processes.ts';
import { projectFolder } from './machine.ts';

/** PostgreSQL, Redis, an S3 server, one API and one worker from the production build, of the bench's own. */
export interface ServiceStack {
  readonly url: string;
  /** The first process of each part by its name. */
  readonly pids: ReadonlyMap<string, number>;
  /** Where the API and the worker tell their metrics. */
  readonly operationsUrls: readonly string[];
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** A key of a new account that has documents enough. */
  openAccount(): Promise<string>;
  /** Uploads a template and gives its id. */
  upload(apiKey: string, name: string, file: Uint8Array): Promise<string>;
  close(): Promise<void>;
}

const plentyOfDocuments = 10_000_000;

/** `env` goes to the API and the worker, over settings that differ from the defaults only in the rate limit, which is off. */
export async function startServiceStack(env: Readonly<Record<string, string>> = {}): Promise<ServiceStack> {
  const silent = (): void => undefined;
  await ensureBuilt(projectFolder, process.env, silent, new AbortController().signal);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-bench-'));
  const opened = await openFolder(folder, process.env, silent);
  const close = async (): Promise<void> => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const backing = await startBackingServices(opened.context);
    const { postgres, redis, s3 } = backing;
    await migrateDatabase(postgres.databaseUrl);
    const port = await findFreePort();
    const officeFolder = join(folder, 'office');
    mkdirSync(officeFolder);
    const variables = { ...serviceVariables(backing), RATE_LIMIT_REQUESTS: '0', LOG_LEVEL: 'warn', ...env };
    const { api, workers } = await startServiceProcesses(opened.context, {
      projectFolder,
      port,
      workers: 1,
      variables,
    });
    const url = `http://127.0.0.1:${port}`;
    const named = { api: api.process, worker: workers[0]?.process, postgres: postgres.process, redis: redis.process };
    const pids = Object.entries({ ...named, s3: s3.process }).map(([name, part]) => [name, part?.pid ?? -1] as const);
    const database = { url: postgres.databaseUrl, poolSize: 1, timeoutMs: 5_000, applicationName: 'docmill-bench' };
    return {
      url,
      pids: new Map(pids),
      operationsUrls: [api, ...workers].map(({ operationsUrl }) => operationsUrl),
      databaseUrl: postgres.databaseUrl,
      redisUrl: redis.redisUrl,
      async openAccount() {
        const handle = openDatabase(database, createLogger('silent', 'bench'));
        try {
          return (await openAccount(handle.db, { credits: plentyOfDocuments })).apiKey;
        } finally {
          await handle.close();
        }
      },
      upload: (apiKey, name, file) => upload(url, apiKey, name, file),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function upload(url: string, apiKey: string, name: string, file: Uint8Array): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([new Uint8Array(file)]), name);
  const headers = { Authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${url}/v1/templates`, { method: 'POST', body: form, headers });
  if (answer.status !== 201) throw new Error(`the template was answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return id;
}
