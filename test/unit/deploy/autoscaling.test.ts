import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { seededRandom } from '../../faults/harness/random.ts';

/** What a manifest says about the number of pods of one kind of worker. */
interface Scaler {
  readonly minReplicaCount: number;
  readonly maxReplicaCount: number;
  readonly triggers: readonly { readonly metadata: { readonly query: string; readonly threshold: string } }[];
  readonly advanced: {
    readonly horizontalPodAutoscalerConfig: {
      readonly behavior: Readonly<Record<'scaleUp' | 'scaleDown', Behavior>>;
    };
  };
}

interface Behavior {
  readonly stabilizationWindowSeconds: number;
  readonly policies: readonly {
    readonly type: 'Percent' | 'Pods';
    readonly value: number;
    readonly periodSeconds: number;
  }[];
}

const file = new URL('../../../deploy/kubernetes/components/autoscaling/workers.yaml', import.meta.url);
const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map(
  (document) => document.toJS() as { readonly metadata: { readonly name: string }; readonly spec: Scaler },
);

function scalerOf(name: string): Scaler {
  const manifest = manifests.find(({ metadata }) => metadata.name === name);
  if (manifest === undefined) throw new Error(`there is no scaler of ${name}`);
  return manifest.spec;
}

const scrapeSeconds = 15;
const syncSeconds = 15;
const windowSeconds = 120;
/** From the decision until a pod takes documents. */
const startSeconds = 30;
const slotsPerPod = 2;
const tolerance = 0.1;
const stepsPerSecond = 10;

interface Pod {
  readonly readyAt: number;
  /** When each slot becomes free. */
  readonly freeAt: number[];
  readonly samples: { readonly at: number; readonly busy: number }[];
}

interface Outcome {
  /** The number of pods, once for each second after the warm-up. */
  readonly pods: readonly number[];
  /** How long each document waited, in seconds. */
  readonly waits: readonly number[];
}

/**
 * Runs a queue of documents whose times are exponentially distributed, served by pods that the algorithm of Kubernetes'
 * HorizontalPodAutoscaler adds and removes (tolerance, stabilization windows and policies), from metrics that are
 * scraped every 15 s. `busySlots` is the load: the slots that would be busy all the time, at a time in seconds.
 */
function simulate(scaler: Scaler, busySlots: (second: number) => number, seconds: number, meanSeconds = 0.5): Outcome {
  const random = seededRandom(7);
  const exponential = (mean: number): number => -mean * Math.log(1 - random());
  const newPod = (readyAt: number): Pod => ({
    readyAt,
    freeAt: Array.from({ length: slotsPerPod }, () => readyAt),
    samples: [],
  });
  let pods: Pod[] = Array.from({ length: 5 }, () => newPod(0));
  const gone: Pod[] = [];
  const arrivals: number[] = [];
  let served = 0;
  const waits: number[] = [];
  const counts: number[] = [];
  const wishes: { readonly at: number; readonly count: number }[] = [];
  let age = 0;
  let nextArrival = 0;
  for (let step = 0; step < seconds * stepsPerSecond; step++) {
    const now = step / stepsPerSecond;
    for (; nextArrival <= now; nextArrival += exponential(meanSeconds / busySlots(now))) arrivals.push(nextArrival);
    for (const { freeAt } of pods) {
      for (let slot = 0; slot < freeAt.length; slot++) {
        for (; served < arrivals.length && (freeAt[slot] ?? 0) <= now; served++) {
          const arrived = arrivals[served] ?? now;
          const startsAt = Math.max(freeAt[slot] ?? 0, arrived);
          if (now > warmUpSeconds) waits.push(startsAt - arrived);
          freeAt[slot] = startsAt + exponential(meanSeconds);
        }
      }
    }
    if (step % (scrapeSeconds * stepsPerSecond) === 0) {
      age = now - (arrivals[served] ?? now);
      for (const { readyAt, freeAt, samples } of pods)
        if (readyAt <= now) samples.push({ at: now, busy: freeAt.filter((end) => end > now).length });
    }
    if (step % (syncSeconds * stepsPerSecond) === 0) {
      const wanted = pods.filter(({ readyAt }) => readyAt <= now).length * slotsPerPod;
      const share = wanted === 0 ? 0 : averageBusy([...pods, ...gone], now) / wanted;
      const next = nextCount(scaler, { now, current: pods.length, age, share, wishes });
      for (let more = pods.length; more < next; more++) pods.push(newPod(now + startSeconds));
      // A pod that ends finishes its documents first, and takes no others.
      gone.push(...pods.slice(next));
      pods = pods.slice(0, next);
      wishes.push({ at: now, count: next });
    }
    if (step % stepsPerSecond === 0 && now > warmUpSeconds) counts.push(pods.length);
  }
  return { pods: counts, waits };
}
const warmUpSeconds = 900;

/** `sum(avg_over_time(…[2m]))`: pods that ended count while they have a sample in the window. */
function averageBusy(pods: readonly Pod[], now: number): number {
  let sum = 0;
  for (const { samples } of pods) {
    const recent = samples.filter(({ at }) => at > now - windowSeconds);
    if (recent.length > 0) sum += recent.reduce((total, { busy }) => total + busy, 0) / recent.length;
  }
  return sum;
}

interface Reading {
  readonly now: number;
  readonly current: number;
  readonly age: number;
  /** Busy slots of all wanted ones. */
  readonly share: number;
  /** What was decided before. */
  readonly wishes: { readonly at: number; readonly count: number }[];
}

function nextCount(scaler: Scaler, { now, current, age, share, wishes }: Reading): number {
  const { scaleUp, scaleDown } = scaler.advanced.horizontalPodAutoscalerConfig.behavior;
  const wish = Math.max(
    ...scaler.triggers.map(({ metadata: { query, threshold } }) => {
      const ratio = (query.includes('oldest_job_age') ? age : share) / Number(threshold);
      return Math.abs(ratio - 1) <= tolerance ? current : Math.ceil(ratio * current);
    }),
  );
  const bounded = Math.min(Math.max(wish, scaler.minReplicaCount), scaler.maxReplicaCount);
  wanted.set(wishes, [...(wanted.get(wishes) ?? []), { at: now, count: bounded }]);
  const within = (seconds: number, list: readonly { readonly at: number; readonly count: number }[]) =>
    list.filter(({ at }) => at > now - seconds).map(({ count }) => count);
  if (bounded > current) {
    const before = Math.min(current, ...within(Math.max(...scaleUp.policies.map((one) => one.periodSeconds)), wishes));
    const limits = scaleUp.policies.map(({ type, value }) =>
      type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100)),
    );
    return Math.min(bounded, Math.max(current, ...limits));
  }
  const stable = Math.max(bounded, ...within(scaleDown.stabilizationWindowSeconds, wanted.get(wishes) ?? []));
  const before = Math.max(current, ...within(Math.max(...scaleDown.policies.map((one) => one.periodSeconds)), wishes));
  const limits = scaleDown.policies.map(({ type, value }) =>
    type === 'Pods' ? before - value : Math.floor(before * (1 - value / 100)),
  );
  return Math.min(current, Math.max(stable, ...limits));
}
/** What the metrics alone asked for, which the stabilization window looks at. */
const wanted = new WeakMap<object, readonly { readonly at: number; readonly count: number }[]>();

const spread = ({ pods }: Outcome): number => Math.max(...pods) - Math.min(...pods);
const shareOver = ({ waits }: Outcome, seconds: number): number =>
  waits.filter((wait) => wait > seconds).length / waits.length;

describe.each([
  ['worker-pdf', 0.5],
  ['worker-docx', 0.2],
])('%s', (name, meanSeconds) => {
  const scaler = scalerOf(name);
  const byAgeAlone = { ...scaler, triggers: scaler.triggers.filter(({ metadata }) => metadata.query.includes('age')) };
  const constant = () => 9;

  test('keeps its number under a constant load, and nobody waits', () => {
    const outcome = simulate(scaler, constant, 5_400, meanSeconds);
    expect(spread(outcome)).toBeLessThanOrEqual(3);
    expect(shareOver(outcome, 5)).toBeLessThan(0.001);
  });

  test('would swing with the age of the oldest job alone', () => {
    const outcome = simulate(byAgeAlone, constant, 5_400, meanSeconds);
    expect(spread(outcome)).toBeGreaterThan(4);
    expect(shareOver(outcome, 5)).toBeGreaterThan(0.01);
  });

  test('follows a load that doubles and halves', () => {
    const outcome = simulate(scaler, (second) => (second > 2_000 && second < 5_000 ? 12 : 6), 9_000, meanSeconds);
    expect(Math.max(...outcome.pods)).toBeGreaterThanOrEqual(8);
    expect(outcome.pods.at(-1)).toBeLessThanOrEqual(7);
    expect(shareOver(outcome, 15)).toBeLessThan(0.01);
  });
});

test('batches keep the pods whose slots are busy', () => {
  const shares = scalerOf('worker-batch').triggers.filter(({ metadata }) => metadata.query.includes('busy'));
  expect(shares.map(({ metadata }) => metadata.threshold)).toEqual(['1', '1']);
});
