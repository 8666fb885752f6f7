import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfComparison } from './compare-pair.ts';
import type { Failure, FilledCase } from './produce-pdfs.ts';

/** The result of a case. It is written once, so that an interrupted check resumes after it. */
export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly templateId?: string | undefined;
  /** A digest of everything that the result depends on. */
  readonly inputs: string;
  readonly content?: FilledCase['content'] | undefined;
  /** `not compared` when no engine made a PDF; `failed` when the case could not be checked, see `problem`. */
  readonly outcome: 'equal' | 'different' | 'not compared' | 'failed';
  readonly problem?: string | undefined;
  /** Failures of the engines. */
  readonly oldFailure?: Failure | undefined;
  readonly newFailure?: Failure | undefined;
  readonly oldMs?: number | undefined;
  readonly newMs?: number | undefined;
  readonly comparison?: PdfComparison | undefined;
}

/** The results of a check, one folder for each case. */
export interface Results {
  folderOf(caseId: string): string;
  /** The result of an earlier run; undefined when its inputs were different. */
  read(caseId: string, inputs: string): Promise<CaseResult | undefined>;
  write(result: CaseResult): Promise<void>;
}

const fileName = 'result.json';

export function openResults(reportFolder: string): Results {
  const folderOf = (caseId: string): string => join(reportFolder, 'cases', caseId);
  return {
    folderOf,
    async read(caseId, inputs) {
      const text = await readFile(join(folderOf(caseId), fileName), 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const result = JSON.parse(text) as CaseResult;
      return result.inputs === inputs ? result : undefined;
    },
    async write(result) {
      const folder = folderOf(result.id);
      await mkdir(folder, { recursive: true });
      const path = join(folder, fileName);
      // A rename keeps existing files complete, even if the command is killed.
      await writeFile(`${path}.new`, JSON.stringify(result));
      await rename(`${path}.new`, path);
    },
  };
}

/** Orders results for reading: those that need a decision most come first. */
export function byWeight(a: CaseResult, b: CaseResult): number {
  return weightOf(b) - weightOf(a) || (a.title < b.title ? -1 : 1);
}

function weightOf({ outcome, comparison: found, oldFailure, newFailure }: CaseResult): number {
  if (newFailure !== undefined && oldFailure === undefined) return 1e9;
  if (oldFailure !== undefined && newFailure === undefined) return 1e8;
  if (found === undefined) return outcome === 'failed' ? 1e10 : 1e7;
  const capped = (value: number, max: number): number => Math.min(value, max);
  const exceeds = found.exceeded.length > 0 ? 1e3 : 0;
  return (
    exceeds +
    (found.oldPages === found.newPages ? 0 : 1e6 + capped(Math.abs(found.oldPages - found.newPages), 100) * 1e3) +
    capped(found.words.lost + found.words.added, 900) * 1e3 +
    capped(found.words.repaged, 900) * 100 +
    capped(found.words.restyled, 900) * 10 +
    (found.linksLost.length + found.linksAdded.length) * 500 +
    (found.fontsLost.length + found.fontsAdded.length) * 500 +
    found.pixelShare * 5e3 +
    capped(found.movedPt, 800)
  );
}
