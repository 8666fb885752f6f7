import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../../shared/logger.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { type AddWorkMs, measureWork } from '../../supervisor/measure-work.ts';
import { openProcessPool } from '../../supervisor/process-pool.ts';
import { ProcessLost } from '../../supervisor/process-slot.ts';
import type { PoolCounts } from '../../supervisor/slot-pool.ts';
import { fontSettings, fontSettingsFile } from '../office/font-settings.ts';
import { openOwnedFolder } from '../office/pool-folder.ts';
import { findPrograms } from '../office/programs.ts';
import { type DirectAnswer, type DirectPdfOptions, type DirectRequest, readDirectAnswer } from './messages.ts';

export interface DirectPoolOptions {
  readonly processes: number;
  readonly logger: Logger;
  /** Path of the LibreOffice whose fonts are used. */
  readonly sofficePath?: string | undefined;
  readonly pythonPath?: string | undefined;
  /** The folder in which LibreOffice pools have theirs. Default: the system's folder for temporary files. */
  readonly tempDir?: string | undefined;
  /** Content of the fontconfig file. Default: LibreOffice's. */
  readonly fontSettings?: string | undefined;
  /** Time limit of one document; LibreOffice lays out the ones that exceed it. Default: 5,000. */
  readonly timeLimitMs?: number | undefined;
  /** Limit of a process's resident memory. Default: 768 MiB. */
  readonly memoryLimitBytes?: number | undefined;
}

export interface DirectRequestOf {
  /** The account that owns this document. Processes are shared fairly among accounts. */
  readonly account?: string | undefined;
  /** Identifies the template, so that the pool can estimate how long its documents take. */
  readonly templateKey?: string | undefined;
  readonly addWorkMs?: AddWorkMs | undefined;
  readonly docx: Uint8Array;
  /** Default: none. */
  readonly options?: DirectPdfOptions | undefined;
  /** Whether to list every reason for which a document is not laid out. Default: only the first one. */
  readonly inspects?: boolean | undefined;
}

export type DirectResult =
  | { readonly kind: 'made'; readonly pdf: Uint8Array; readonly pages: number; readonly convertMs: number }
  /**
   * `unknown`: the document has something that is not laid out as LibreOffice does; `lost`: a limit was reached, or the
   * process ended.
   */
  | { readonly kind: 'unknown' | 'lost'; readonly reasons: readonly string[] };

/** Processes that lay out documents without LibreOffice. */
export interface DirectPool {
  /** Rejects with `unavailable` if no process can be started. */
  convert(request: DirectRequestOf): Promise<DirectResult>;
  /** The number of an account's documents that wait for a process. */
  waitingOf(account: string): number;
  counts(): PoolCounts & { readonly processes: number };
  close(): Promise<void>;
}

const defaultTimeLimitMs = 5_000;
const defaultMemoryLimitBytes = 768 * 1024 * 1024;
const heapMb = 384;
/** Half of the young generation. A document leaves some megabytes of garbage, which then need not be copied. */
const youngMb = 16;
/** Pages of 64 KiB: 256 MiB in total, for fonts. */
const wasmPages = 4_096;

/**
 * Starts the processes with the first document, so that a worker without proven templates does without them. Rejects if
 * the LibreOffice whose layout they reproduce is missing.
 */
export async function createDirectPool(options: DirectPoolOptions): Promise<DirectPool> {
  const { processes, logger, sofficePath, pythonPath, timeLimitMs = defaultTimeLimitMs } = options;
  const { memoryLimitBytes = defaultMemoryLimitBytes } = options;
  const programs = await findPrograms({ sofficePath, pythonPath });
  const folder = await openOwnedFolder(options.tempDir ?? tmpdir());
  const settingsPath = join(folder.path, fontSettingsFile);
  await writeFile(settingsPath, options.fontSettings ?? fontSettings(programs));
  const pool = openProcessPool<DirectRequest, DirectAnswer>({
    name: 'a process of direct layout',
    processes,
    startsWith: 'first request',
    entry: resolveEntry('./direct-process-main', import.meta.url, 'process'),
    flags: [
      `--wasm-max-mem-pages=${wasmPages}`,
      `--min-semi-space-size=${youngMb}`,
      `--max-semi-space-size=${youngMb}`,
    ],
    heapMb,
    memoryLimitBytes,
    timeLimitMs,
    readAnswer: readDirectAnswer,
    unavailable: 'Documents cannot be laid out directly right now.',
    logger,
  });
  return {
    async convert({ account, templateKey, addWorkMs, docx, options = {}, inspects = false }) {
      pool.begin();
      let startedAt = 0;
      try {
        const answer = await pool.use(
          (slot) => {
            startedAt = performance.now();
            return measureWork(addWorkMs, () => slot.ask({ fontSettings: settingsPath, docx, options, inspects }));
          },
          // The most recently used process has the fonts and words of most documents in memory.
          { account, work: templateKey, choose: (idle) => idle.at(-1) },
        );
        return answer.kind === 'made' ? { ...answer, convertMs: performance.now() - startedAt } : answer;
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error;
        logger.warn({ err: error, sizeBytes: docx.length }, 'a document could not be laid out directly');
        return { kind: 'lost', reasons: ['a limit of time or memory was reached'] };
      }
    },
    waitingOf: (account) => pool.waitingOf(account),
    counts: () => ({ processes, ...pool.counts() }),
    async close() {
      await pool.close();
      await folder.remove();
    },
  };
}
