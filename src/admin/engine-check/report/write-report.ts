import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { byWeight, type CaseResult } from '../results.ts';
import { reportPage } from './report-page.ts';
import type { ReportInput, Summary } from './summary.ts';

/** Writes index.html and report.json. Returns the figures that both contain. */
export async function writeReport(folder: string, input: ReportInput): Promise<Summary> {
  const results = input.results.toSorted(byWeight);
  const count = (outcome: CaseResult['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  const summary = {
    cases: input.total,
    equal: count('equal'),
    different: count('different'),
    notCompared: count('not compared'),
    failed: count('failed'),
    missing: input.total - results.length,
  };
  await mkdir(folder, { recursive: true });
  const { oldEngine, newEngine, at } = input;
  await replace(join(folder, 'report.json'), JSON.stringify({ oldEngine, newEngine, at, summary, results }, null, 1));
  await replace(join(folder, 'index.html'), reportPage({ ...input, results }, summary));
  return summary;
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
