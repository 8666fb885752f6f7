import { type Failure, toFailure } from '../engine-check/produce-pdfs.ts';
import { type LeftOut, leaveOut, type Sample } from './find-samples.ts';
import type { Format, ProducedDocument, Producer } from './open-producer.ts';
import type { PeakMemory, ProcessMeter, ProcessorTime } from './process-meter.ts';

/** The cost of a document of one template that runs alone: means over its documents, except for memory. */
export interface TemplateCost {
  readonly templateId: string;
  readonly name: string;
  readonly format: Format;
  readonly data: 'golden' | 'example';
  /** Its share of the documents of the last 30 days; equal shares when the account has none. */
  readonly share: number;
  readonly documents: number;
  readonly cpuMs: ProcessorTime;
  readonly renderMs: number;
  readonly convertMs: number;
  readonly wallMs: number;
  /** The peak over all its documents. */
  readonly peakMb: PeakMemory;
  readonly bytes: number;
  readonly dataBytes: number;
  readonly pages: number | null;
}

/** Measurements of the weighted mix with all engines busy. */
export interface BusyEngines {
  readonly format: Format;
  readonly documents: number;
  readonly perSecond: number;
  /** CPU time of a document that runs concurrently with others, divided by its CPU time alone. */
  readonly cpuRatio: ProcessorTime;
  readonly peakMb: PeakMemory;
}

export interface FailedTemplate extends Failure {
  readonly templateId: string;
  readonly name: string;
  readonly format: Format;
  readonly documents: number;
}

export interface Replay {
  readonly costs: readonly TemplateCost[];
  /** Undefined when no time was left to measure it. */
  readonly busy: BusyEngines | undefined;
  readonly failed: readonly FailedTemplate[];
  readonly leftOut: readonly LeftOut[];
}

export interface ReplayOptions {
  readonly producer: Pick<Producer, 'produce' | 'engine'>;
  readonly meter: ProcessMeter;
  readonly samples: readonly Sample[];
  readonly format: Format;
  /** The number of concurrent documents that keeps all engines busy. */
  readonly callers: number;
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/**
 * The share of the time by which each phase ends: warm-up, the first measuring round, further rounds. The mix gets the
 * rest.
 */
const warmShare = 0.4;
const firstRoundShare = 0.85;
const roundsShare = 0.6;
const maxRounds = 20;
const minBusyDocuments = 3;

/**
 * Produces documents of the templates until the time is over, in three phases: each template once, to warm the engines;
 * one document at a time, to measure each template; then the weighted mix on all engines. Failing templates are listed.
 * Documents that the end interrupts are not counted.
 */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { samples, format, forMs, signal, producer } = options;
  const startMs = performance.now();
  // Not `AbortSignal.timeout`: Node.js 20 may garbage-collect it while `AbortSignal.any` waits for it, so it never
  // aborts.
  const until = (share: number): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), startMs + forMs * share - performance.now()).unref();
    return AbortSignal.any([signal, controller.signal]);
  };
  const end = until(1);
  const failed = new Map<Sample, Failure>();
  const leftOut: LeftOut[] = [];
  const isPinnedElsewhere = ({ template: { engine } }: Sample): boolean =>
    format === 'pdf' && engine !== null && engine !== producer.engine;
  const pinned = samples.filter(isPinnedElsewhere);
  for (const one of pinned)
    leftOut.push(leaveOut(one, `pinned to LibreOffice ${one.template.engine}: run it where that is installed`));
  const candidates = samples.filter((one) => !isPinnedElsewhere(one));

  const warm = await warmUp(options, candidates, until(warmShare), failed);
  const measured = await measureAlone(options, warm, {
    first: until(firstRoundShare),
    more: until(roundsShare),
    failed,
  });
  const isOver = (one: Sample): boolean => !measured.has(one) && !failed.has(one);
  for (const one of candidates.filter(isOver)) leftOut.push(leaveOut(one, 'the time ran out: raise --seconds'));

  const isUsed = [...measured.keys()].some(({ documents }) => documents > 0);
  const weightOf = ({ documents }: Sample): number => (isUsed ? documents : 1);
  const totalWeight = [...measured.keys()].reduce((sum, one) => sum + weightOf(one), 0);
  const costs = [...measured].map(([one, runs]) => toCost(one, format, weightOf(one) / totalWeight, runs));
  const busy = costs.length === 0 ? undefined : await keepBusy(options, [...measured.keys()], costs, end, failed);
  return {
    costs,
    busy,
    failed: [...failed].map(([{ template, documents }, failure]) => ({
      templateId: template.id,
      name: template.name,
      format,
      documents,
      ...failure,
    })),
    leftOut,
  };
}

/** Produces each template once, on all engines. Returns those that succeeded. */
async function warmUp(
  { producer, format, callers }: ReplayOptions,
  samples: readonly Sample[],
  signal: AbortSignal,
  failed: Map<Sample, Failure>,
): Promise<readonly Sample[]> {
  const waiting = [...samples];
  const done = new Set<Sample>();
  const runCaller = async (caller: number): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const sample = next;
      const outcome = await attempt(() => producer.produce({ sample, format, turn: 0, caller }), signal);
      if (outcome instanceof Error) failed.set(sample, toFailure(outcome));
      else if (outcome !== undefined) done.add(sample);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => runCaller(caller)));
  return samples.filter((one) => done.has(one));
}

interface Run extends ProducedDocument {
  readonly cpuMs: ProcessorTime;
  readonly wallMs: number;
  readonly peakMb: PeakMemory;
}

/** Measures in rounds, one document at a time, so that all usage belongs to that document. */
async function measureAlone(
  { producer, meter, format }: ReplayOptions,
  samples: readonly Sample[],
  times: { readonly first: AbortSignal; readonly more: AbortSignal; readonly failed: Map<Sample, Failure> },
): Promise<ReadonlyMap<Sample, readonly Run[]>> {
  const runs = new Map<Sample, Run[]>();
  for (let round = 0; round < maxRounds; round++) {
    const signal = round === 0 ? times.first : times.more;
    for (const sample of samples) {
      if (signal.aborted) return runs;
      if (times.failed.has(sample)) continue;
      meter.takePeaks();
      const before = meter.used();
      const startMs = performance.now();
      const outcome = await attempt(() => producer.produce({ sample, format, turn: round, caller: 0 }), signal);
      const wallMs = performance.now() - startMs;
      const cpuMs = difference(meter.used(), before);
      if (outcome instanceof Error) {
        runs.delete(sample);
        times.failed.set(sample, toFailure(outcome));
      } else if (outcome !== undefined) {
        const run = { ...outcome, cpuMs, wallMs, peakMb: meter.takePeaks() };
        runs.set(sample, [...(runs.get(sample) ?? []), run]);
      }
    }
  }
  return runs;
}

/** Runs the mix on all engines until the end. Undefined when too few documents finished. */
async function keepBusy(
  { producer, meter, format, callers }: ReplayOptions,
  samples: readonly Sample[],
  costs: readonly TemplateCost[],
  signal: AbortSignal,
  failed: Map<Sample, Failure>,
): Promise<BusyEngines | undefined> {
  const next = createMix(samples.map((sample, i) => ({ sample, cost: costs[i], share: costs[i]?.share ?? 0 })));
  const expected = { main: 0, render: 0, office: 0 };
  let documents = 0;
  let turn = 0;
  meter.takePeaks();
  const before = meter.used();
  const startMs = performance.now();
  const runCaller = async (caller: number): Promise<void> => {
    while (!signal.aborted) {
      const { sample, cost } = next();
      if (cost === undefined || failed.has(sample)) return;
      const outcome = await attempt(() => producer.produce({ sample, format, turn: turn++, caller }), signal);
      if (outcome instanceof Error) failed.set(sample, toFailure(outcome));
      else if (outcome !== undefined) {
        documents++;
        for (const part of parts) expected[part] += cost.cpuMs[part];
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => runCaller(caller)));
  const used = difference(meter.used(), before);
  const seconds = (performance.now() - startMs) / 1_000;
  if (documents < Math.max(minBusyDocuments, callers)) return undefined;
  const ratioOf = (part: Part): number => (expected[part] === 0 ? 1 : used[part] / expected[part]);
  const cpuRatio = { main: ratioOf('main'), render: ratioOf('render'), office: ratioOf('office') };
  return { format, documents, perSecond: documents / seconds, cpuRatio, peakMb: meter.takePeaks() };
}

/** Yields the samples in turn, each in proportion to its share. */
function createMix<T extends { readonly share: number }>(all: readonly T[]): () => T {
  const credit = all.map(() => 0);
  return () => {
    let best = 0;
    for (const [i, { share }] of all.entries()) {
      credit[i] = (credit[i] ?? 0) + share;
      if ((credit[i] ?? 0) > (credit[best] ?? 0)) best = i;
    }
    credit[best] = (credit[best] ?? 0) - 1;
    const chosen = all[best];
    if (chosen === undefined) throw new Error('there are no samples to mix');
    return chosen;
  };
}

const parts = ['main', 'render', 'office'] as const;
type Part = (typeof parts)[number];

function difference(after: ProcessorTime, before: ProcessorTime): ProcessorTime {
  const of = (part: Part): number => after[part] - before[part];
  return { main: of('main'), render: of('render'), office: of('office') };
}

function toCost({ template, golden }: Sample, format: Format, share: number, runs: readonly Run[]): TemplateCost {
  const mean = (read: (run: Run) => number): number => runs.reduce((sum, run) => sum + read(run), 0) / runs.length;
  const most = (read: (run: Run) => number): number => Math.max(...runs.map(read));
  return {
    templateId: template.id,
    name: template.name,
    format,
    share,
    documents: runs.length,
    data: golden.length > 0 ? 'golden' : 'example',
    cpuMs: {
      main: mean((run) => run.cpuMs.main),
      render: mean((run) => run.cpuMs.render),
      office: mean((run) => run.cpuMs.office),
    },
    renderMs: mean(({ renderMs }) => renderMs),
    convertMs: mean(({ convertMs }) => convertMs),
    wallMs: mean(({ wallMs }) => wallMs),
    peakMb: { renderProcess: most(({ peakMb }) => peakMb.renderProcess), slot: most(({ peakMb }) => peakMb.slot) },
    bytes: mean(({ bytes }) => bytes),
    dataBytes: mean(({ dataBytes }) => dataBytes),
    pages: format === 'docx' ? null : mean(({ pages }) => pages ?? 0),
  };
}

/**
 * The result of the work or its error, or undefined when the signal aborts first. The work then continues in the
 * background until the engines close.
 */
async function attempt<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | Error | undefined> {
  if (signal.aborted) return undefined;
  let onAbort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort);
  });
  const done = work().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  try {
    return await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
