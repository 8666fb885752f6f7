import { loadWorkerConfig, type WorkerConfig } from '../../shared/config/load-config.ts';
import { readMachineSize } from '../../shared/config/machine-size.ts';
import { openObjects } from '../../shared/connections.ts';
import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { AppError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { type AdminDeps, UsageError } from '../parse-command.ts';
import { findSamples, type LeftOut, type Sample } from './find-samples.ts';
import { type Format, openProducer } from './open-producer.ts';
import { assumptions, type PlannedWorker, planCapacity } from './plan-capacity.ts';
import { canMeter, openProcessMeter } from './process-meter.ts';
import { type Replay, replay } from './replay.ts';

interface Measured {
  readonly replays: readonly Replay[];
  readonly leftOut: readonly LeftOut[];
  readonly jail: string | undefined;
  readonly engine: string | undefined;
}

interface CapacityRequest {
  readonly accountId: string;
  /** Documents per second. */
  readonly rate: number;
  readonly formats: readonly Format[];
  readonly seconds: number;
}

/** Throws `not_found` when the account does not exist or has no live template. */
export async function measureCapacity(deps: AdminDeps, request: CapacityRequest): Promise<object> {
  const { accountId, rate, formats, seconds } = request;
  if (!canMeter())
    throw new UsageError(
      'capacity reads the use of processes from /proc, which this system does not have: run it on Linux',
    );
  const config = loadWorkerConfig({ ...process.env, WORKER_QUEUES: formats.join(',') });
  await findAccount(deps.db, accountId);
  const { replays, leftOut, jail, engine } = await measure(deps, { accountId, config, formats, seconds });
  const worker: PlannedWorker = {
    cpus: readMachineSize().cpus,
    renderProcesses: config.RENDER_PROCESSES,
    officeSlots: config.OFFICE_SLOTS,
    databasePoolSize: config.DATABASE_POOL_SIZE,
    inlineMaxBytes: config.RESULT_INLINE_MAX_BYTES,
  };
  return {
    accountId,
    rate,
    seconds,
    worker: { ...worker, jail, engine },
    plan: replays.flatMap(({ costs, busy }) => planCapacity(costs, busy, worker, rate)),
    templates: replays.flatMap(({ costs }) => costs).map(roundedDeep),
    busy: replays.flatMap(({ busy }) => (busy === undefined ? [] : [roundedDeep(busy)])),
    failed: replays.flatMap(({ failed }) => failed),
    leftOut: [...leftOut, ...replays.flatMap((one) => one.leftOut)],
    assumptions,
  };
}

interface Plan {
  readonly accountId: string;
  readonly config: WorkerConfig;
  readonly formats: readonly Format[];
  readonly seconds: number;
}

/** SIGINT and SIGTERM end the measurement early and keep the results so far. */
async function measure({ db }: AdminDeps, { accountId, config, formats, seconds }: Plan): Promise<Measured> {
  const logger = createLogger('silent', 'capacity');
  const objects = openObjects(config, logger);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { samples, leftOut } = await findSamples(db, accountId);
    if (samples.length === 0)
      throw new AppError('not_found', `The account ${accountId} has no live template to measure`);
    const producer = await openProducer({ accountId, config, db, objects, logger, signal: stopping.signal });
    const meter = openProcessMeter();
    try {
      const replays: Replay[] = [];
      for (const format of formats) {
        const callers = format === 'pdf' ? config.OFFICE_SLOTS : config.RENDER_PROCESSES;
        const forMs = (seconds * 1_000) / formats.length;
        replays.push(await replayOne(samples, format, { producer, meter, callers, forMs, signal: stopping.signal }));
      }
      const { jail, engine } = producer;
      return { replays, leftOut, jail, engine };
    } finally {
      meter.close();
      await producer.close();
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await objects.close();
  }
}

const replayOne = (
  samples: readonly Sample[],
  format: Format,
  options: Omit<Parameters<typeof replay>[0], 'samples' | 'format'>,
): Promise<Replay> => replay({ ...options, samples, format });

/** Rounds every number in a value to two decimals. */
function roundedDeep<T extends object>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toFixed(2)) : each)),
  ) as T;
}
