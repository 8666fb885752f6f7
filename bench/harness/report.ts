import { describeMachine, type Program, readCommit, readVersions } from './machine.ts';
import type { BenchOptions } from './options.ts';
import { rounded, type Spread, spreadOf } from './statistics.ts';

export interface Goal {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

/** A figure that means the same on any machine, or nearly so: a ratio of two sides, or what one adds to the other. */
export interface Figure extends Spread {
  readonly name: string;
  readonly unit: 'times' | 'ms' | 'MB' | '';
  readonly goal?: Goal | undefined;
}

export interface Frame {
  readonly bench: string;
  readonly begunAt: string;
  readonly commit: ReturnType<typeof readCommit>;
  readonly machine: ReturnType<typeof describeMachine>;
  readonly versions: Readonly<Record<string, string>>;
}

export interface BenchReport extends Frame {
  readonly options: Readonly<Record<string, unknown>>;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** All that was measured, as it came. */
  readonly raw: unknown;
}

export function figure(name: string, unit: Figure['unit'], samples: readonly number[], goal?: Goal): Figure {
  return { name, unit, goal, ...spreadOf(samples.map((sample) => rounded(sample))) };
}

export function atLeast(value: number): Goal {
  return { kind: 'at least', value };
}

export function atMost(value: number): Goal {
  return { kind: 'at most', value };
}

export function isReached({ goal, median }: Figure): boolean {
  if (goal === undefined) return true;
  return goal.kind === 'at least' ? median >= goal.value : median <= goal.value;
}

/** What the machine, the commit and the versions are; taken before anything runs, for the load that it tells. */
export function openFrame(bench: string, programs: readonly Program[], packages: readonly string[]): Frame {
  const machine = describeMachine();
  return {
    bench,
    begunAt: new Date().toISOString(),
    commit: readCommit(),
    machine,
    versions: readVersions(programs, packages),
  };
}

export function closeFrame(
  frame: Frame,
  options: Readonly<Record<string, unknown>>,
  figures: readonly Figure[],
  raw: unknown,
): BenchReport {
  const seconds = rounded((Date.now() - Date.parse(frame.begunAt)) / 1_000, 0);
  return { ...frame, options, seconds, figures, raw };
}

/** One line of JSON, or lines for people with what the medians lie between. */
export function print(report: BenchReport, options: Pick<BenchOptions, 'json'>, lines: readonly string[] = []): void {
  const text = options.json ? [JSON.stringify(report)] : [...head(report), ...lines, ...report.figures.map(lineOf)];
  process.stdout.write(`${text.join('\n')}\n`);
}

export function lineOf(one: Figure): string {
  const { name, unit, goal, median, lowerQuartile, upperQuartile, samples } = one;
  const range = samples.length > 1 ? ` (${short(lowerQuartile)} to ${short(upperQuartile)})` : '';
  const verdict =
    goal === undefined ? '' : `; goal ${goal.kind} ${goal.value}: ${isReached(one) ? 'reached' : 'MISSED'}`;
  return `${short(median)}${unit === 'times' ? '' : ` ${unit}`.trimEnd()}${range}  ${name}${verdict}`;
}

function short(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
}

function head({ bench, commit, machine, versions, seconds }: BenchReport): string[] {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${bench}: commit ${commit.hash}${commit.isClean ? '' : ' with changes'}, ${seconds} s`,
    `${machine.cores} cores of ${machine.model}, ${machine.memoryGb} GB, load before ${machine.loadBefore.toFixed(2)}`,
    programs.join(', '),
  ];
}
