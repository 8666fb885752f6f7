import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/shared/db/client.ts';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { openAccount } from '../../test/faults/client/account.ts';
import {
  type BackingServices,
  openFolder,
  serviceVariables,
  startBackingServices,
} from '../../tools/local/backing-services.ts';
import { ensureBuilt } from '../../tools/local/build.ts';
import { findFreePort } from '../../tools/local/ports.ts';
import { startServiceProcesses } from '../../tools/local/service-processes.ts';
import type { ServiceContext } from '../../tools/local/services/service.ts';
import { projectFolder } from './machine.ts';

/** A migrated PostgreSQL, a Redis and an S3 server that only this bench uses. */
export interface BenchServices {
  readonly context: ServiceContext;
  readonly services: BackingServices;
  readonly folder: string;
  /** The environment of an API or a worker. */
  readonly variables: Readonly<Record<string, string>>;
  /** The first process of each server by name. */
  readonly pids: ReadonlyMap<string, number>;
  /** Creates accounts with practically unlimited documents, and returns an API key for each. */
  openAccounts(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** These services with one API and one worker of the production build. */
export interface ServiceStack extends BenchServices {
  readonly url: string;
  /** Base addresses of the metrics of the API and the worker. */
  readonly operationsUrls: readonly string[];
}

const plentyOfDocuments = 10_000_000;

/** Builds the service if needed and starts the servers on free ports. The rate limit is off; `env` adds settings. */
export async function startBenchServices(
  env: Readonly<Record<string, string>> = {},
  { isMigrated = true }: { readonly isMigrated?: boolean } = {},
): Promise<BenchServices> {
  const silent = (): void => undefined;
  await ensureBuilt(projectFolder, process.env, silent, new AbortController().signal);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-bench-'));
  const opened = await openFolder(folder, process.env, silent);
  const close = async (): Promise<void> => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const services = await startBackingServices(opened.context);
    const { postgres, redis, s3 } = services;
    if (isMigrated) await migrateDatabase(postgres.databaseUrl);
    const officeFolder = join(folder, 'office');
    mkdirSync(officeFolder);
    const settings = {
      RATE_LIMIT_REQUESTS: '0',
      MAIL_MESSAGES_PER_RECIPIENT_PER_DAY: '1000000000',
      LOG_LEVEL: 'warn',
      OFFICE_TEMP_DIR: officeFolder,
      // A template would change its engine during a measurement. Benches of direct layout turn it on.
      DIRECT_PDF: 'off',
    };
    const processes = Object.entries({ postgres: postgres.process, redis: redis.process, s3: s3.process });
    return {
      context: opened.context,
      services,
      folder,
      variables: { ...serviceVariables(services), ...settings, ...env },
      pids: new Map(processes.map(([name, { pid }]) => [name, pid ?? -1])),
      openAccounts: (count) => openAccounts(postgres.databaseUrl, count),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function startServiceStack(env: Readonly<Record<string, string>> = {}): Promise<ServiceStack> {
  const backing = await startBenchServices(env);
  try {
    const port = await findFreePort();
    const plan = { projectFolder, port, workers: 1, variables: backing.variables };
    const { api, workers } = await startServiceProcesses(backing.context, plan);
    const processes = { api: api.process, worker: workers[0]?.process };
    const pids = Object.entries(processes).map(([name, running]) => [name, running?.pid ?? -1] as const);
    return {
      ...backing,
      url: `http://127.0.0.1:${port}`,
      pids: new Map([...pids, ...backing.pids]),
      operationsUrls: [api, ...workers].map(({ operationsUrl }) => operationsUrl),
    };
  } catch (error) {
    await backing.close();
    throw error;
  }
}

async function openAccounts(url: string, count: number): Promise<readonly string[]> {
  const database = { url, poolSize: 1, timeoutMs: 5_000, applicationName: 'docmill-bench' };
  const handle = openDatabase(database, createLogger('silent', 'bench'));
  try {
    const keys: string[] = [];
    for (let index = 0; index < count; index++) {
      keys.push((await openAccount(handle.db, { credits: plentyOfDocuments })).apiKey);
    }
    return keys;
  } finally {
    await handle.close();
  }
}

/** Uploads a template through the API and returns its id. */
export async function uploadTemplate(url: string, apiKey: string, name: string, file: Uint8Array): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([new Uint8Array(file)]), name);
  const headers = { Authorization: `Bearer ${apiKey}` };
  const answer = await fetch(`${url}/v1/templates`, { method: 'POST', body: form, headers });
  if (answer.status !== 201)
    throw new Error(`the service responded to the upload with ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return id;
}
