import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../../tools/local/ports.ts';
import { ServiceProcess } from '../../faults/harness/service-process.ts';
import { fontVariables } from '../fonts.ts';

export interface Replicas {
  /** Starts a process and waits until it is ready. `release` is the folder of another release. */
  start(kind: 'api' | 'worker', release?: string): Promise<ServiceProcess>;
  /** Like `start`, without waiting. */
  spawn(kind: 'api' | 'worker', release?: string): Promise<ServiceProcess>;
  /** SIGTERM; throws when the process does not exit with 0. */
  stop(process: ServiceProcess): Promise<void>;
  /**
   * The address of a ready API, round-robin. Like a load balancer, it chooses among the last ready ones while none is.
   */
  next(): string;
  close(): Promise<void>;
}

/** APIs and workers of the production build behind a balancer that follows `/readyz`. Files go to `folder`. */
export function openReplicas(folder: string, variables: Readonly<Record<string, string>>): Replicas {
  const processes: ServiceProcess[] = [];
  const failpoints = join(folder, 'failpoints');
  mkdirSync(failpoints, { recursive: true });
  let ready: readonly string[] = [];
  let next = 0;
  const running = (): ServiceProcess[] => processes.filter(({ exit }) => exit === undefined);
  const refresh = async (): Promise<void> => {
    const states = await Promise.all(
      running()
        .filter(({ spec }) => spec.kind === 'api')
        .map(async (api) => ({ api, state: await api.readiness().catch(() => undefined) })),
    );
    const found = states.filter(({ state }) => state?.status === 200).map(({ api }) => api.url);
    if (found.length > 0) ready = found;
  };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const schedule = (): void => {
    timer = setTimeout(() => {
      void refresh().finally(() => {
        if (!isClosed) schedule();
      });
    }, 100);
  };
  schedule();
  const { PATH = '', HOME = '/', LANG = 'C.UTF-8' } = process.env;
  // Longer than the balancer needs to notice that an API drains, also on a busy machine.
  const settings = {
    DRAIN_DELAY_MS: '5000',
    DATABASE_TIMEOUT_MS: '20000',
    FAILPOINTS_DIR: failpoints,
    RATE_LIMIT_REQUESTS: '0',
    MAIL_MESSAGES_PER_RECIPIENT_PER_DAY: '1000000000',
    LOG_LEVEL: 'warn',
  };

  const spawn: Replicas['spawn'] = async (kind, release) => {
    const [port = 0, operationsPort = 0] = await findFreePorts(2);
    const name = `${kind}-${processes.length + 1}`;
    const started = new ServiceProcess({
      name,
      kind,
      port,
      operationsPort,
      release,
      logFile: join(folder, `${name}.log`),
      env: { PATH, HOME, LANG, ...fontVariables, ...settings, ...variables },
    });
    processes.push(started);
    return started;
  };

  return {
    spawn,
    async start(kind, release) {
      const started = await spawn(kind, release);
      try {
        await started.ready();
      } catch (error) {
        const { body } = await started.readiness().catch(() => ({ body: 'no response' }));
        throw new Error(`${started.spec.name} is not ready: ${body}: ${started.log().slice(-2_000)}`, { cause: error });
      }
      await refresh();
      return started;
    },
    async stop(process) {
      const exit = await process.stop();
      if (exit?.code !== 0)
        throw new Error(`${process.spec.name} ended with ${JSON.stringify(exit)}: ${process.log()}`);
    },
    next() {
      next += 1;
      const url = ready[next % Math.max(1, ready.length)];
      if (url === undefined) throw new Error('no API has been ready');
      return url;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(running().map((process) => process.stop()));
    },
  };
}
