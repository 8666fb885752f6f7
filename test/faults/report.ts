import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './harness/service-process.ts';
import type { RowResult } from './run-row.ts';

/** One line of progress, followed by the faults. */
export function lineOf({ row, faults, seconds }: RowResult): string {
  const verdict = faults.length === 0 ? 'ok  ' : 'FAIL';
  const head = `${verdict} ${row.id.padEnd(4)} ${seconds.toFixed(1).padStart(6)} s  ${row.title}`;
  return [head, ...faults.map((fault) => `       ${fault}`)].join('\n');
}

function tableLineOf({ row, faults, seconds }: RowResult): string {
  return `| ${row.id} | ${row.title} | ${row.story} | ${faults.length === 0 ? 'passed' : 'FAILED'} | ${seconds.toFixed(1)} |`;
}

/** The run as a Markdown table. */
export function tableOf(results: readonly RowResult[]): string {
  return [
    '| Row | Fault | Expected outcome | Verdict | Seconds |',
    '| --- | --- | --- | --- | ---: |',
    ...results.map(tableLineOf),
  ].join('\n');
}

const files = {
  'fault table': join(projectFolder, 'bench/results/fault-matrix.md'),
  soak: join(projectFolder, 'bench/results/soak.md'),
};

/** Replaces the section of a results file that a program writes. */
export function writeSection(name: keyof typeof files, content: string): void {
  const file = files[name];
  const [start, end] = [`<!-- ${name}: written by a program -->`, `<!-- end of ${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no section for the ${name}`);
  writeFileSync(file, `${before}${start}\n\n${content}\n\n${end}${after}`);
}

/** Replaces the whole fault table. */
export function writeReport(results: readonly RowResult[], seed: number): void {
  const passed = results.filter(({ faults }) => faults.length === 0).length;
  const sum = `${passed} of ${results.length} rows passed; seed ${seed}.`;
  writeSection('fault table', `${sum}\n\n${tableOf(results)}`);
}

/** Replaces the lines of these rows; a new row is inserted after the last one of its letter. */
export function writeRows(results: readonly RowResult[]): void {
  const file = files['fault table'];
  const lines = readFileSync(file, 'utf8').split('\n');
  const idOf = (line: string): string | undefined => /^\| ([A-Z]\d+) \|/.exec(line)?.[1];
  for (const result of results) {
    const { id } = result.row;
    const same = lines.findIndex((line) => idOf(line) === id);
    const related = lines.findLastIndex((line) => idOf(line)?.startsWith(id.slice(0, 1)) === true);
    const last = related === -1 ? lines.findLastIndex((line) => idOf(line) !== undefined) : related;
    if (same === -1) lines.splice(last + 1, 0, tableLineOf(result));
    else lines[same] = tableLineOf(result);
  }
  writeFileSync(file, lines.join('\n'));
}
