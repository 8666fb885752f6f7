import { join } from 'node:path';
import { findFreePorts } from '../../tools/local/ports.ts';
import type { ManagedProcess } from '../../tools/local/processes/managed-process.ts';
import type { Redis } from '../../tools/local/services/redis.ts';
import { untilReady } from '../../tools/local/services/service.ts';
import { projectFolder } from '../harness/machine.ts';
import { type BenchServices, startBenchServices } from '../harness/stack.ts';
import { openPostgresMeter, type PostgresMeter } from './postgres-meter.ts';

/** The simulated times of the workers' engines, and their results. */
export interface EngineSettings {
  readonly renderMs: number;
  readonly convertMs: number;
  readonly pdfBytes: number;
}

/** API and worker processes for one point of the bench. */
export interface Fleet {
  readonly urls: readonly string[];
  /** The first process of every API, worker and server by name. */
  readonly pids: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface Infrastructure extends BenchServices {
  readonly redis: Redis;
  readonly postgres: PostgresMeter;
  startFleet(apis: number, slots: number): Promise<Fleet>;
}

const mostWorkers = 2;

export async function startInfrastructure(settings: EngineSettings): Promise<Infrastructure> {
  const started = await startBenchServices({
    RATE_LIMIT_REQUESTS: '1000000',
    WORKER_QUEUES: 'docx,pdf,inspect',
    BENCH_RENDER_MS: String(settings.renderMs),
    BENCH_CONVERT_MS: String(settings.convertMs),
    BENCH_PDF_BYTES: String(settings.pdfBytes),
    BENCH_DOCX: join(projectFolder, 'examples/letter.docx'),
  });
  try {
    const meter = await openPostgresMeter(started.services.postgres);
    // The meter restarts PostgreSQL, which changes its process id.
    const pids = new Map([...started.pids, ['postgres', started.services.postgres.process.pid ?? -1]]);
    return {
      ...started,
      pids,
      redis: started.services.redis,
      postgres: meter,
      startFleet: (apis, slots) => startFleet(started, pids, apis, slots),
      async close() {
        await meter.close();
        await started.close();
      },
    };
  } catch (error) {
    await started.close();
    throw error;
  }
}

type Program = readonly [command: string, ...args: string[]];
/** The Node.js options of `scripts/start worker`. */
const workerOptions = ['--heap-growing-percent=100', '--import', 'tsx'];

async function startFleet(
  { context, variables }: BenchServices,
  serverPids: ReadonlyMap<string, number>,
  apis: number,
  slots: number,
): Promise<Fleet> {
  const workers = Math.min(slots, mostWorkers);
  const ports = await findFreePorts(2 * apis + workers);
  const start = async (name: string, [command, ...args]: Program, env: Readonly<Record<string, string>>) => {
    const started = context.table.start({
      name,
      command,
      args,
      cwd: projectFolder,
      env: { ...context.env, NODE: process.execPath, ...variables, ...env },
      logFile: join(context.layout.logs, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: 10_000,
      stopRank: 1,
    });
    const isReady = async () => (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/readyz`)).ok;
    await untilReady(started, isReady, 60_000);
    return [name, started] as const;
  };
  const apiPorts = ports.slice(0, apis);
  const slotsOf = (index: number): string => String(Math.floor((slots + index) / workers));
  const started: readonly (readonly [string, ManagedProcess])[] = await Promise.all([
    ...apiPorts.map((port, index) =>
      start(`api-${index + 1}`, ['scripts/start', 'api'], {
        PORT: String(port),
        METRICS_PORT: String(ports[apis + index]),
        DRAIN_DELAY_MS: '0',
      }),
    ),
    ...Array.from({ length: workers }, (_, index) =>
      start(`worker-${index + 1}`, [process.execPath, ...workerOptions, 'bench/infrastructure/worker-process.ts'], {
        DOCX_CONCURRENCY: slotsOf(index),
        OFFICE_SLOTS: slotsOf(index),
        METRICS_PORT: String(ports[2 * apis + index]),
      }),
    ),
  ]);
  return {
    urls: apiPorts.map((port) => `http://127.0.0.1:${port}`),
    pids: new Map([...started.map(([name, { pid }]) => [name, pid ?? -1] as const), ...serverPids]),
    stop: async () => void (await Promise.all(started.map(([, each]) => context.table.drop(each)))),
  };
}
