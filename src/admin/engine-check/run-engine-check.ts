import { join, resolve } from 'node:path';
import { engineVersionOf } from '../../shared/engine-version.ts';
import type { Logger } from '../../shared/logger.ts';
import type { OfficePool } from '../../worker/pdf/office/office-pool.ts';
import { UsageError } from '../parse-command.ts';
import type { Case } from './cases/case.ts';
import { checkCases } from './check-cases.ts';
import { type CheckEngines, openEngines } from './open-engines.ts';
import { openRules } from './read-rules.ts';
import type { Summary } from './report/summary.ts';
import { writeReport } from './report/write-report.ts';
import { type CaseResult, openResults } from './results.ts';

export interface EngineCheckOptions {
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly reportFolder: string;
  readonly rulesFolder: string | undefined;
  readonly jobs: number;
  readonly dpi: number;
  readonly maxPages: number;
  readonly convertTimeoutMs: number;
  readonly logger: Logger;
  /** Called with one line for each case. */
  readonly onProgress: (line: string) => void;
}

export interface EngineCheck extends Summary {
  readonly report: string;
  readonly oldEngine: string;
  readonly newEngine: string;
  /** The version to which templates can be pinned, such as 7.4. */
  readonly oldVersion: string;
  readonly results: readonly CaseResult[];
}

/**
 * Lays out the cases with both engines and writes the report. SIGINT and SIGTERM end it early, which the report states.
 */
export async function runEngineCheck(cases: readonly Case[], options: EngineCheckOptions): Promise<EngineCheck> {
  const rulesOf = await openRules(options.rulesFolder);
  refuseRepeated(cases);
  // Finds an invalid rules file before hours of work.
  for (const one of cases) await rulesOf(one);
  const folder = resolve(options.reportFolder);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let engines: CheckEngines | undefined;
  try {
    options.onProgress(`0/${cases.length} starting both versions of LibreOffice`);
    engines = await openUnlessStopped(options, stopping.signal);
    const [oldEngine, newEngine] = [nameOf(engines?.oldOffice), nameOf(engines?.newOffice)];
    let done = 0;
    const results =
      engines === undefined
        ? []
        : await checkCases({
            ...options,
            ...engines,
            cases,
            rulesOf,
            signal: stopping.signal,
            results: openResults(folder),
            onResult: ({ outcome, title }) => options.onProgress(`${++done}/${cases.length} ${outcome}: ${title}`),
          });
    const summary = await writeReport(folder, { oldEngine, newEngine, results, total: cases.length, at: new Date() });
    if (stopping.signal.aborted)
      options.onProgress(`stopped: ${done} of ${cases.length} are in the report; the same command checks the others`);
    const oldVersion = engineVersionOf(engines?.oldOffice.status().engine?.version ?? '');
    return { report: join(folder, 'index.html'), oldEngine, newEngine, oldVersion, ...summary, results };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await engines?.close();
  }
}

/** Undefined when the check was stopped: Ctrl-C in a terminal also ends engines that are still starting. */
async function openUnlessStopped(options: EngineCheckOptions, signal: AbortSignal): Promise<CheckEngines | undefined> {
  try {
    return await openEngines(options);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function nameOf(office: OfficePool | undefined): string {
  const engine = office?.status().engine;
  return engine === undefined ? 'unknown engine' : `${engine.name} ${engine.version}`;
}

function refuseRepeated(cases: readonly Case[]): void {
  if (cases.length === 0)
    throw new UsageError('There is nothing to check: no .docx file and no live template was found');
  const seen = new Set<string>();
  for (const { id, title } of cases) {
    if (seen.has(id)) throw new UsageError(`Two documents have the same name in the report: ${title}`);
    seen.add(id);
  }
}
