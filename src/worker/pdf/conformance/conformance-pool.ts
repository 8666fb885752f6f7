import type { Logger } from '../../../shared/logger.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { type AddWorkMs, measureWork } from '../../supervisor/measure-work.ts';
import { openProcessPool } from '../../supervisor/process-pool.ts';
import { ProcessLost } from '../../supervisor/process-slot.ts';
import { createFindings } from './findings.ts';
import {
  type CheckAnswer,
  type CheckRequest,
  type CompleteRequest,
  type ProcessRequest,
  readCheckAnswer,
} from './process/messages.ts';
import type { ConformanceReport, Standard } from './standards.ts';

export interface ConformancePoolOptions {
  readonly processes: number;
  readonly logger: Logger;
  /** Time limit of one check. Default: 20,000. */
  readonly timeLimitMs?: number | undefined;
  /** Limit of a process's resident memory. Default: 1 GiB. */
  readonly memoryLimitBytes?: number | undefined;
}

export interface CompletionRequest {
  /** The account that owns this document. Processes are shared fairly among accounts. */
  readonly account?: string | undefined;
  readonly addWorkMs?: AddWorkMs | undefined;
  readonly pdf: Uint8Array;
}

export interface ConformanceRequest extends CompletionRequest {
  readonly standards: readonly Standard[];
  /** Password of an encrypted file. */
  readonly password?: string | undefined;
}

export interface ConformancePool {
  /**
   * Checks a PDF. A file that exceeds a limit fails with `file-readable`. Rejects with `unavailable` if no
   * process can be started.
   */
  check(request: ConformanceRequest): Promise<ConformanceReport>;
  /**
   * The PDF with the tags that `completeTags` adds, or unchanged if this exceeds a limit. Rejects with `unavailable`
   * like `check`.
   */
  complete(request: CompletionRequest): Promise<Uint8Array>;
  close(): Promise<void>;
}

const defaultTimeLimitMs = 20_000;
const defaultMemoryLimitBytes = 1024 ** 3;
const heapMb = 512;

/** Processes that read possibly hostile PDFs outside the worker. They start in the background. */
export function createConformancePool(options: ConformancePoolOptions): ConformancePool {
  const { processes, logger, timeLimitMs = defaultTimeLimitMs } = options;
  const { memoryLimitBytes = defaultMemoryLimitBytes } = options;
  const pool = openProcessPool<ProcessRequest, CheckAnswer>({
    name: 'a check process',
    processes,
    entry: resolveEntry('./process/check-process-main', import.meta.url, 'process'),
    heapMb,
    memoryLimitBytes,
    timeLimitMs,
    readAnswer: readCheckAnswer,
    unavailable: 'Documents cannot be checked right now.',
    logger,
  });
  return {
    async check({ account, addWorkMs, pdf, standards, password }) {
      const request: CheckRequest = { kind: 'check', bytes: pdf, standards, password };
      try {
        const answer = await pool.use((slot) => measureWork(addWorkMs, () => slot.ask(request)), { account });
        return answer.kind === 'report' ? answer.report : unexpected(answer);
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error;
        logger.warn({ err: error, sizeBytes: pdf.length }, 'a PDF could not be checked');
        const findings = createFindings(standards);
        findings.report('file-readable');
        return findings.toReport();
      }
    },
    async complete({ account, addWorkMs, pdf }) {
      const request: CompleteRequest = { kind: 'complete', bytes: pdf };
      try {
        const answer = await pool.use((slot) => measureWork(addWorkMs, () => slot.ask(request)), { account });
        return answer.kind === 'completed' ? answer.bytes : unexpected(answer);
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error;
        logger.warn({ err: error, sizeBytes: pdf.length }, 'the tags of a PDF could not be completed');
        return pdf;
      }
    },
    close: () => pool.close(),
  };
}

function unexpected({ kind }: CheckAnswer): never {
  throw new Error(`unexpected answer: ${kind}`);
}
