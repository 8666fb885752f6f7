import { rmdir } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../shared/logger.ts';
import { createDocxPool, type DocxPool } from '../../worker/docx/sandbox/docx-pool.ts';
import { type OfficePool, startOfficePool } from '../../worker/pdf/office/office-pool.ts';

export interface EngineOptions {
  /** Folders or `soffice` programs of the installations; undefined for the system's. */
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly jobs: number;
  readonly convertTimeoutMs: number;
  readonly logger: Logger;
}

export interface CheckEngines {
  readonly docx: DocxPool;
  readonly oldOffice: OfficePool;
  readonly newOffice: OfficePool;
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

/** Each job uses one LibreOffice at a time. */
export const defaultJobs = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

/** Starts both LibreOffices in jails, and the render processes. Throws when one cannot start. */
export async function openEngines(options: EngineOptions): Promise<CheckEngines> {
  const { jobs, logger, convertTimeoutMs } = options;
  const tempDir = join(tmpdir(), `docmill-engine-check-${process.getuid?.() ?? 0}`);
  const startOffice = (sofficePath: string | undefined): Promise<OfficePool> =>
    startOfficePool({
      slots: jobs,
      keepsSlotFree: false,
      convertTimeoutMs,
      startTimeoutMs: 60_000,
      recycleAfter: 200,
      memoryLimitBytes: 1_024 * megabyte,
      tempDir,
      logger,
      sofficePath,
    });
  const docx = createDocxPool({
    processes: jobs,
    keepsSlotFree: false,
    renderTimeoutMs: convertTimeoutMs,
    inspectTimeoutMs: convertTimeoutMs,
    heapMb: 512,
    templateCacheBytes: megabyte,
    logger,
  });
  const opened: { close(): Promise<void> }[] = [docx];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close()));
    // Another check may still use it.
    await rmdir(tempDir).catch(() => undefined);
  };
  try {
    const oldOffice = await startOffice(options.oldPath);
    opened.push(oldOffice);
    const newOffice = await startOffice(options.newPath);
    opened.push(newOffice);
    return { docx, oldOffice, newOffice, close };
  } catch (error) {
    await close();
    throw error;
  }
}
