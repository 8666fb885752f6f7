import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './harness/service-process.ts';
import type { NamedRow } from './row.ts';
import type { RowResult, RunOptions } from './run-row.ts';

/** One line while the run goes on; what went wrong stands below it. */
export function lineOf({ row, faults, seconds }: RowResult): string {
  const verdict = faults.length === 0 ? 'ok  ' : 'FAIL';
  const head = `${verdict} ${row.id.padEnd(4)} ${seconds.toFixed(1).padStart(6)} s  ${row.title}`;
  return [head, ...faults.map((fault) => `       ${fault}`)].join('\n');
}

/** The run as a Markdown table. */
export function tableOf(results: readonly RowResult[], named: readonly NamedRow[]): string {
  const lines = results.map(
    ({ row, faults, seconds }) =>
      `| ${row.id} | ${row.title} | ${row.story} | ${faults.length === 0 ? 'held' : 'BROKEN'} | ${seconds.toFixed(1)} |`,
  );
  const others = named.map(({ id, title, reason }) => `| ${id} | ${title} | ${reason} | not run | |`);
  return [
    '| Row | Fault | What is done, what must come of it | Verdict | Seconds |',
    '| --- | --- | --- | --- | ---: |',
    ...lines,
    ...others,
  ].join('\n');
}

/** Replaces a section of docs/reliability.md that a program writes. */
export function writeSection(name: 'fault table' | 'soak', content: string): void {
  const file = join(projectFolder, 'docs/reliability.md');
  const [start, end] = [`<!-- ${name}: written by a program -->`, `<!-- end of ${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the ${name}`);
  writeFileSync(file, `${before}${start}\n\n${content}\n\n${end}${after}`);
}

/** Replaces the fault table of docs/reliability.md. */
export function writeReport(results: readonly RowResult[], named: readonly NamedRow[], options: RunOptions): void {
  const held = results.filter(({ faults }) => faults.length === 0).length;
  const sum = `${held} of ${results.length} rows held; races run ${options.repeats} times, seed ${options.seed}.`;
  writeSection('fault table', `${sum}\n\n${tableOf(results, named)}`);
}
