import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, type Program, projectFolder, readCommit, readVersions } from './machine.ts';
import type { BenchOptions } from './options.ts';
import { rounded, type Spread, spreadOf } from './statistics.ts';

export interface Goal {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

/** A figure that barely depends on the machine: the ratio or the difference of two contenders. */
export interface Figure extends Spread {
  readonly name: string;
  readonly unit: 'times' | 'ms' | 'MB' | '';
  readonly goal?: Goal | undefined;
}

/** Where and when a bench runs. */
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
  /** All samples. */
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

/** Records machine, commit and versions. Call it first: it also records the load average of the preceding minute. */
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

/** Prints one line of JSON or readable text, and with `--save` writes the file in `bench/results/`. */
export function publish(
  report: BenchReport,
  { json, save }: Pick<BenchOptions, 'json' | 'save'>,
  lines: readonly string[] = [],
): void {
  const text = json ? [JSON.stringify(report)] : [...head(report), ...lines, ...report.figures.map(lineOf)];
  process.stdout.write(`${text.join('\n')}\n`);
  if (save) process.stderr.write(`saved ${saveReport(report, lines)}\n`);
}

export function lineOf(one: Figure): string {
  const { name, unit, goal, samples } = one;
  const range = samples.length > 1 ? ` (${rangeOf(one)})` : '';
  const verdict =
    goal === undefined ? '' : `; goal ${goal.kind} ${goal.value}: ${isReached(one) ? 'reached' : 'MISSED'}`;
  return `${short(one.median)}${unit === 'times' ? '' : ` ${unit}`.trimEnd()}${range}  ${name}${verdict}`;
}

/** True if the goal is reached or there is none. False for a figure that is not a number. */
export function isReached({ goal, median }: Figure): boolean {
  if (goal === undefined) return true;
  return goal.kind === 'at least' ? median >= goal.value : median <= goal.value;
}

function rangeOf({ lowerQuartile, upperQuartile }: Figure): string {
  return `${short(lowerQuartile)} to ${short(upperQuartile)}`;
}

function short(value: number): string {
  return value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
}

function head(report: BenchReport): string[] {
  const { bench, seconds } = report;
  const { commit, machine, versions } = describe(report);
  return [`${bench}: commit ${commit}, ${seconds} s`, machine, versions];
}

function describe({ commit, machine, versions }: BenchReport) {
  return {
    commit: `${commit.hash}${commit.isClean ? '' : ' with uncommitted changes'}`,
    machine: `${machine.cores} cores of ${machine.model}, ${machine.memoryGb} GB, load before ${machine.loadBefore.toFixed(2)}`,
    versions: Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  };
}

function saveReport(report: BenchReport, lines: readonly string[]): string {
  const { bench, begunAt, seconds, figures } = report;
  const { commit, machine, versions } = describe(report);
  const rows = figures.map((one) => {
    const goal = one.goal === undefined ? '' : `${one.goal.kind} ${one.goal.value}`;
    return `| ${one.name} | ${one.unit} | ${goal} | ${short(one.median)} | ${one.samples.length > 1 ? rangeOf(one) : ''} |`;
  });
  const text = [
    ...[`# ${bench}, ${begunAt.slice(0, 10)}`, ''],
    ...['| | |', '| --- | --- |', `| started | ${begunAt}, took ${seconds} s |`, `| commit | ${commit} |`],
    ...[`| machine | ${machine} |`, `| versions | ${versions} |`],
    ...[`| command | \`npm run bench -- ${process.argv.slice(2).join(' ')}\` |`, ''],
    ...['| figure | unit | goal | median | quartiles |', '| --- | --- | --- | ---: | ---: |', ...rows],
    ...(lines.length > 0 ? ['', '```text', ...lines, '```'] : []),
  ];
  const folder = join(projectFolder, 'bench/results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${begunAt.slice(0, 10)}-${bench}-${report.commit.hash}.md`);
  writeFileSync(file, `${text.join('\n')}\n`);
  return file;
}
