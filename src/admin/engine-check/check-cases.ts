import { createHash } from 'node:crypto';
import type { Logger } from '../../shared/logger.ts';
import type { DocxPool } from '../../worker/docx/sandbox/docx-pool.ts';
import { Comparer } from '../../worker/pdf/compare/comparer.ts';
import type { OfficePool } from '../../worker/pdf/office/office-pool.ts';
import type { Case, Source } from './cases/case.ts';
import { comparePair } from './compare-pair.ts';
import { fillCase, producePdf, toFailure } from './produce-pdfs.ts';
import type { CaseResult, Results } from './results.ts';
import type { Rules } from './rules.ts';

export interface CheckOptions {
  readonly cases: readonly Case[];
  readonly docx: DocxPool;
  readonly oldOffice: OfficePool;
  readonly newOffice: OfficePool;
  readonly rulesOf: (one: Case) => Promise<Rules>;
  readonly results: Results;
  /** The number of cases checked concurrently. */
  readonly jobs: number;
  readonly dpi: number;
  readonly maxPages: number;
  readonly logger: Logger;
  /** Stops the check immediately; the next run repeats the cases in progress. */
  readonly signal: AbortSignal;
  onResult(result: CaseResult): void;
}

/** Part of a result's inputs. Change it whenever the same files would give a different result. */
const resultFormat = 3;
const compareTimeoutMs = 600_000;

/** Checks cases concurrently. Returns fewer results than cases when interrupted. */
export async function checkCases(options: CheckOptions): Promise<readonly CaseResult[]> {
  const found: CaseResult[] = [];
  const remaining = options.cases.values();
  const stopped = new Promise<undefined>((resolve) => {
    options.signal.addEventListener('abort', () => resolve(undefined));
  });
  const work = async (): Promise<void> => {
    const comparer = new Comparer({ timeLimitMs: compareTimeoutMs });
    try {
      for (const one of remaining) {
        if (options.signal.aborted) return;
        const result = await Promise.race([stopped, checkOrReport(options, one, comparer)]);
        if (result === undefined) return;
        found.push(result);
        options.onResult(result);
      }
    } finally {
      await comparer.close();
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return found;
}

/** A case that cannot be checked becomes a row of the report and does not end the check. */
async function checkOrReport(options: CheckOptions, one: Case, comparer: Comparer): Promise<CaseResult> {
  try {
    return await checkCase(options, one, comparer);
  } catch (error) {
    options.logger.warn({ err: error, case: one.id }, 'a case could not be checked');
    const { message } = toFailure(error);
    return {
      id: one.id,
      title: one.title,
      templateId: one.templateId,
      inputs: '',
      outcome: 'failed',
      problem: message,
    };
  }
}

async function checkCase(options: CheckOptions, one: Case, comparer: Comparer): Promise<CaseResult> {
  const [source, rules] = [await one.load(), await options.rulesOf(one)];
  const inputs = digestOf(options, source, rules);
  const known = await options.results.read(one.id, inputs);
  if (known !== undefined) return known;
  const result = { ...(await compareCase(options, one, source, rules, comparer)), inputs };
  // An engine that was not ready says nothing about the document, so the next run tries again.
  const isTransient = [result.oldFailure, result.newFailure].some((failure) => failure?.code === 'unavailable');
  if (!isTransient) await options.results.write(result);
  return result;
}

async function compareCase(
  options: CheckOptions,
  one: Case,
  source: Source,
  rules: Rules,
  comparer: Comparer,
): Promise<CaseResult> {
  const { id, title, templateId } = one;
  const base = { id, title, templateId, inputs: '' };
  const { docx, content } = await fillCase(options.docx, one, source);
  const asked = { filename: title, signal: options.signal };
  const before = await producePdf(options.oldOffice, docx, asked);
  const after = await producePdf(options.newOffice, docx, asked);
  const failures = { oldFailure: before.failure, newFailure: after.failure };
  if (before.pdf === undefined || after.pdf === undefined) {
    const isSame = before.pdf === undefined && after.pdf === undefined;
    return { ...base, content, ...failures, outcome: isSame ? 'not compared' : 'different' };
  }
  const { dpi, maxPages } = options;
  const pictureFolder = options.results.folderOf(id);
  const pair = { oldPdf: before.pdf, newPdf: after.pdf, pictureFolder, rules, dpi, maxPages };
  const comparison = await comparePair(comparer, pair);
  const outcome = comparison.exceeded.length === 0 ? 'equal' : 'different';
  const times = { oldMs: Math.round(before.convertMs), newMs: Math.round(after.convertMs) };
  return { ...base, content, ...times, outcome, comparison };
}

function digestOf({ oldOffice, newOffice, dpi, maxPages }: CheckOptions, source: Source, rules: Rules): string {
  const engines = [oldOffice.status().engine?.version, newOffice.status().engine?.version];
  const hash = createHash('sha256').update(JSON.stringify({ resultFormat, engines, rules, dpi, maxPages }));
  for (const part of [source.template, source.data ?? new Uint8Array()]) {
    hash.update(`${part.length} `).update(part);
  }
  return hash.digest('hex');
}
