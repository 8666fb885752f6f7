import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/shared/db/client.ts';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { openAccount } from '../../test/faults/client/account.ts';
import { openFolder, serviceVariables, startBackingServices } from '../../tools/local/backing-services.ts';
import { ensureBuilt } from '../../tools/local/build.ts';
import { findFreePorts } from '../../tools/local/ports.ts';
import type { ManagedProcess } from '../../tools/local/processes/managed-process.ts';
import type { Redis } from '../../tools/local/services/redis.ts';
import { type ServiceContext, untilReady } from '../../tools/local/services/service.ts';
import { projectFolder } from '../harness/machine.ts';
import { openPostgresMeter, type PostgresMeter } from './postgres-meter.ts';

export interface FabricSettings {
  readonly renderMs: number;
  readonly convertMs: number;
  readonly pdfBytes: number;
}

/** API and worker processes, for one point of the bench. */
export interface Fleet {
  readonly urls: readonly string[];
  /** The first process of each part by its name. */
  readonly pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface Fabric {
  readonly redis: Redis;
  readonly postgres: PostgresMeter;
  readonly databaseUrl: string;
  /** Of the servers, by their names. */
  readonly pids: ReadonlyMap<string, number>;
  /** Accounts with an API key each. */
  openAccounts(count: number): Promise<readonly string[]>;
  startFleet(apis: number, slots: number): Promise<Fleet>;
  close(): Promise<void>;
}

const plentyOfDocuments = 10_000_000;
const mostWorkers = 2;

/** PostgreSQL, Redis and an S3 server of the bench's own. */
export async function startFabric(settings: FabricSettings): Promise<Fabric> {
  const silent = (): void => undefined;
  await ensureBuilt(projectFolder, process.env, silent, new AbortController().signal);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-fabric-'));
  const { context, close } = await openFolder(folder, process.env, silent);
  try {
    mkdirSync(join(folder, 'office'));
    const backing = await startBackingServices(context);
    const { postgres, redis, s3 } = backing;
    await migrateDatabase(postgres.databaseUrl);
    const meter = await openPostgresMeter(postgres);
    const variables = {
      ...serviceVariables(backing),
      ...{ RATE_LIMIT_REQUESTS: '1000000', LOG_LEVEL: 'warn', WORKER_QUEUES: 'docx,pdf,inspect' },
      ...{ FABRIC_RENDER_MS: String(settings.renderMs), FABRIC_CONVERT_MS: String(settings.convertMs) },
      ...{ FABRIC_PDF_BYTES: String(settings.pdfBytes), FABRIC_DOCX: join(projectFolder, 'examples/letter.docx') },
      OFFICE_TEMP_DIR: join(folder, 'office'),
    };
    const parts = { postgres: postgres.process, redis: redis.process, s3: s3.process };
    return {
      redis,
      postgres: meter,
      databaseUrl: postgres.databaseUrl,
      pids: new Map(Object.entries(parts).map(([name, { pid }]) => [name, pid ?? -1])),
      openAccounts: (count) => openAccounts(postgres.databaseUrl, count),
      startFleet: (apis, slots) => startFleet(context, variables, parts, apis, slots),
      async close() {
        await meter.close();
        await close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAccounts(url: string, count: number): Promise<readonly string[]> {
  const handle = openDatabase(
    { url, poolSize: 1, timeoutMs: 5_000, applicationName: 'docmill-bench' },
    createLogger('silent', 'bench'),
  );
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

type Program = readonly [command: string, ...args: string[]];
/** As `scripts/start worker` has them. */
const workerOptions = ['--heap-growing-percent=100', '--import', 'tsx'];

async function startFleet(
  context: ServiceContext,
  variables: Readonly<Record<string, string>>,
  backing: Readonly<Record<string, ManagedProcess>>,
  apis: number,
  slots: number,
): Promise<Fleet> {
  const workers = Math.min(slots, mostWorkers);
  const ports = await findFreePorts(2 * apis + workers);
  const start = async (name: string, [command, ...args]: Program, own: Readonly<Record<string, string>>) => {
    const process_ = context.table.start({
      name,
      command,
      args,
      cwd: projectFolder,
      env: { ...context.env, NODE: process.execPath, ...variables, ...own },
      logFile: join(context.layout.logs, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: 10_000,
      stopRank: 1,
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${own.METRICS_PORT}/readyz`)).ok;
    await untilReady(process_, isReady, 60_000);
    return [name, process_] as const;
  };
  const apiPorts = ports.slice(0, apis);
  const shareOf = (index: number): string => String(Math.floor((slots + index) / workers));
  const started = await Promise.all([
    ...apiPorts.map((port, index) =>
      start(`api-${index + 1}`, ['scripts/start', 'api'], {
        ...{ PORT: String(port), METRICS_PORT: String(ports[apis + index]), DRAIN_DELAY_MS: '0' },
      }),
    ),
    ...Array.from({ length: workers }, (_, index) =>
      start(`worker-${index + 1}`, [process.execPath, ...workerOptions, 'bench/infrastructure/worker-process.ts'], {
        ...{ DOCX_CONCURRENCY: shareOf(index), OFFICE_SLOTS: shareOf(index) },
        METRICS_PORT: String(ports[2 * apis + index]),
      }),
    ),
  ]);
  const all = [...started, ...Object.entries(backing)];
  return {
    urls: apiPorts.map((port) => `http://127.0.0.1:${port}`),
    pids: new Map(all.map(([name, { pid }]) => [name, pid ?? -1])),
    stop: async () => void (await Promise.all(started.map(([, each]) => context.table.drop(each)))),
  };
}
