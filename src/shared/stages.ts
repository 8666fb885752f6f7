import { Histogram, type Registry } from 'prom-client';

/** The stages of a document, in order. The first seven and the last take place in the API, the others in a worker. */
export const stageNames = [
  'auth',
  'limit',
  'admit',
  'read',
  'reserve',
  'enqueue',
  'wait',
  'pick-up',
  'claim',
  'render',
  'convert',
  'join',
  'invoice',
  'protect',
  'check',
  'store',
  'settle',
  'notify',
  'stream',
] as const;

export type Stage = (typeof stageNames)[number];

export interface Stages {
  /** Runs a stage and records its duration, even if it fails. */
  time<T>(stage: Stage, work: () => Promise<T>): Promise<T>;
  record(stage: Stage, ms: number): void;
}

const bucketsSeconds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

/** Unix time with fractions of a millisecond. */
export const unixMs = (): number => performance.timeOrigin + performance.now();

/** The stages of one request or job. */
export interface OwnStages extends Stages {
  /** The duration of each stage so far in milliseconds, rounded to a tenth. */
  times(): Readonly<Partial<Record<Stage, number>>>;
  /** The individual stages that have ended, in Unix time (ms). */
  ended(): readonly EndedStage[];
}

export interface EndedStage {
  readonly stage: Stage;
  readonly startMs: number;
  readonly endMs: number;
}

/** Passes every stage on to `stages`, and also keeps the times of this one request or job. */
export function ownStages(stages: Stages): OwnStages {
  const times: Partial<Record<Stage, number>> = {};
  const ended: EndedStage[] = [];
  const record = (stage: Stage, ms: number): void => {
    stages.record(stage, ms);
    times[stage] = Math.round(((times[stage] ?? 0) + ms) * 10) / 10;
    const endMs = unixMs();
    ended.push({ stage, startMs: endMs - ms, endMs });
  };
  return { record, time: timer(record), times: () => times, ended: () => ended };
}

/** `docmill_stage_duration_seconds`. `wait` is the whole time that the API waits for a worker. */
export function createStages(registry: Registry): Stages {
  const histogram = new Histogram({
    name: 'docmill_stage_duration_seconds',
    help: 'Duration of the stages of documents.',
    labelNames: ['stage'],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  const ofStage = new Map(stageNames.map((stage) => [stage, histogram.labels({ stage })]));
  const record = (stage: Stage, ms: number): void => ofStage.get(stage)?.observe(Math.max(0, ms) / 1_000);
  return { record, time: timer(record) };
}

function timer(record: Stages['record']): Stages['time'] {
  return async (stage, work) => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      record(stage, performance.now() - startedAt);
    }
  };
}
