import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Figure, Frame } from '../harness/report.ts';
import { rounded } from '../harness/statistics.ts';

/** The accepted cost of a document, and where it was measured. */
export interface CostRecord {
  /** Processor time of a document in the service, divided by that of the bare docxtemplater loop. */
  readonly ratio: number;
  readonly begunAt: string;
  readonly commit: string;
  readonly machine: Frame['machine'];
  readonly versions: Frame['versions'];
}

/** A measured ratio may be this many times the recorded one. */
export const tolerance = 1.2;

const file = fileURLToPath(new URL('record.json', import.meta.url));

export function readRecord(): CostRecord {
  return JSON.parse(readFileSync(file, 'utf8')) as CostRecord;
}

export function writeRecord({ median }: Figure, { begunAt, commit, machine, versions }: Frame): void {
  const record: CostRecord = { ratio: rounded(median, 2), begunAt, commit: commit.hash, machine, versions };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** False for a ratio that is not a number, too. */
export function isWithin(ratio: number, record: CostRecord): boolean {
  return ratio <= record.ratio * tolerance;
}
