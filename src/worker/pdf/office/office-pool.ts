import { join } from 'node:path';
import { toDocumentName } from '../../../shared/document-name.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { PdfOptions } from '../../../shared/output-options.ts';
import { type AddWorkMs, measureWork } from '../../supervisor/measure-work.ts';
import { SlotPool } from '../../supervisor/slot-pool.ts';
import type { Layout } from './agent/agent-messages.ts';
import { toFilterData } from './filter-data.ts';
import { chooseJail, type JailMode } from './jail/choose-jail.ts';
import type { Jail } from './jail/jail-kinds.ts';
import { type ConversionWarning, describeKeptIndex } from './kept-index.ts';
import type { PredictJoints } from './long-tables/predict-in-process.ts';
import { officeUnavailable } from './office-error.ts';
import { type EmbeddedFont, type OfficeEngine, type OfficeSlot, startOfficeSlot } from './office-slot.ts';
import { openPoolFolder, type PoolFolder, sweepDeadPools } from './pool-folder.ts';
import { findPrograms, formulasMissing, type OfficePrograms } from './programs.ts';

export type { EmbeddedFont } from './office-slot.ts';

export interface OfficePoolOptions {
  readonly slots: number;
  /** Whether the last idle slot is kept for accounts that hold none. Default: true. */
  readonly keepsSlotFree?: boolean | undefined;
  /** Time limit of a conversion, not including the wait for a slot. */
  readonly convertTimeoutMs: number;
  readonly startTimeoutMs: number;
  /** The number of conversions after which a slot is replaced. */
  readonly recycleAfter: number;
  /** Resident memory of a slot's processes above which it is replaced. */
  readonly memoryLimitBytes: number;
  /** Parent of the slots' private folders; a local file system, preferably in memory. */
  readonly tempDir: string;
  readonly logger: Logger;
  readonly pythonPath?: string | undefined;
  readonly sofficePath?: string | undefined;
  readonly jail?: JailMode | undefined;
  /** Cancels the start: its processes end, its files are removed, and `startOfficePool` rejects. */
  readonly startSignal?: AbortSignal | undefined;
  /** Pause between checks of idle slots. Default: 15,000. */
  readonly healthCheckMs?: number | undefined;
  /** Niceness of its processes, 0 to 19. */
  readonly niceness?: number | undefined;
  /** Tables with at least this number of rows are laid out in parts. Default: 1,500. */
  readonly longTableRows?: number | undefined;
  /** Computes where pages of long tables end; its results are verified. Default: from the heights of the rows. */
  readonly predictJoints?: PredictJoints | undefined;
}

export interface ConvertRequest {
  /** The account that owns this document. Slots are shared fairly among accounts. */
  readonly account?: string | undefined;
  /** Identifies the template, so that the pool can estimate how long its documents take. */
  readonly templateKey?: string | undefined;
  readonly addWorkMs?: AddWorkMs | undefined;
  readonly docx: Uint8Array;
  /** The fonts in `docx`. A slot keeps them, under names that no other document uses, until it is replaced. */
  readonly fonts?: readonly EmbeddedFont[] | undefined;
  readonly pdf?: PdfOptions | undefined;
  /** Whether fields and indexes are refreshed. Default: true. */
  readonly refresh?: boolean | undefined;
  /** Name of the PDF. FILENAME fields show it with the extension .docx. */
  readonly filename?: string | undefined;
  /** The local time that date and time fields show, such as 2026-03-31T14:30:00. Default: the current time. */
  readonly localDate?: string | undefined;
  /** Aborts the wait for the result; a running conversion continues until it ends or times out. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the document gets a slot, which is released if the function throws. `waitMs` is the time spent waiting.
   */
  readonly beforeStart?: ((waitMs: number) => Promise<void>) | undefined;
}

export interface ConvertResult {
  readonly pdf: Uint8Array;
  readonly pages: number;
  /** Warnings about what the conversion kept unchanged or omitted. */
  readonly warnings: readonly ConversionWarning[];
  readonly engine: OfficeEngine;
  readonly convertMs: number;
  readonly waitMs: number;
  /** The number of parts in which long tables were laid out; 0 if there were none or they stayed whole. */
  readonly tableParts: number;
  readonly layout: Layout;
}

export interface OfficeStatus {
  readonly slots: number;
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly conversions: number;
  readonly restarts: number;
  readonly kills: number;
  /** The number of conversions that were stopped at their first limit because another account was waiting. */
  readonly stops: number;
  readonly jail: string;
  /** The engine of the most recently started slot; undefined before the first. */
  readonly engine: OfficeEngine | undefined;
  readonly isReady: boolean;
}

export interface OfficePool {
  /**
   * Converts a .docx to PDF. Rejects with OfficeError. `slotLost` means that LibreOffice crashed or hung, RefreshLost
   * that this happened while it refreshed fields and indexes.
   */
  convert(request: ConvertRequest): Promise<ConvertResult>;
  status(): OfficeStatus;
  /** The number of documents of an account that wait for a slot. */
  waitingOf(account: string): number;
  /** Kills every process, fails waiting and running requests with `unavailable`, and removes the pool's files. */
  close(): Promise<void>;
}

const firstRetryMs = 500;
const maxRetryDelayMs = 30_000;
const failuresUntilUnavailable = 3;
const defaultHealthCheckMs = 15_000;
/** Leaves space for the fonts of one more document in the slot's temporary folder. */
const maxFontBytes = 64 * 1024 * 1024;

/** Starts the slots and resolves when the first is warm; the error names the program that is missing. */
export async function startOfficePool(options: OfficePoolOptions): Promise<OfficePool> {
  const { logger, tempDir } = options;
  const programs = await findPrograms(options);
  if (!programs.drawsFormulas) logger.warn(formulasMissing);
  const folder = await openPoolFolder(tempDir, programs);
  try {
    await sweepDeadPools(tempDir, logger);
    const jail = await probeJail(options, programs, folder);
    return await startPool(options, folder, jail, programs);
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function probeJail(options: OfficePoolOptions, programs: OfficePrograms, folder: PoolFolder): Promise<Jail> {
  const slotDir = join(folder.path, 'probe');
  const paths = { slotDir, agentDir: folder.agentDir, marker: `${folder.name}/probe` };
  return chooseJail(options.jail ?? 'auto', programs, paths, options.logger);
}

async function startPool(
  options: OfficePoolOptions,
  folder: PoolFolder,
  jail: Jail,
  programs: OfficePrograms,
): Promise<OfficePool> {
  const { slots, recycleAfter, memoryLimitBytes } = options;
  let created = 0;
  let conversions = 0;
  let confinement: readonly string[] = [];
  let engine: OfficeEngine | undefined;
  const start = async (signal: AbortSignal): Promise<OfficeSlot> => {
    const name = `slot-${++created}`;
    const paths = { slotDir: join(folder.path, name), agentDir: folder.agentDir, marker: `${folder.name}/${name}` };
    const slot = await startOfficeSlot({ ...options, jail, programs, paths }, signal);
    confinement = slot.confinement;
    engine = slot.engine;
    return slot;
  };
  const pool = new SlotPool<OfficeSlot>({
    name: 'a LibreOffice slot',
    slots,
    start,
    startTimeoutMs: options.startTimeoutMs,
    startTimeoutHint: 'raise OFFICE_START_TIMEOUT_MS on a slow machine',
    starts: 'slow',
    retryDelayMs: (failures) => Math.min(maxRetryDelayMs, firstRetryMs * 2 ** (failures - 1)),
    unavailableAfter: failuresUntilUnavailable,
    whyExpired: (slot) => {
      if (slot.conversions >= recycleAfter) return `it has converted ${slot.conversions} documents`;
      if (slot.fontBytes > maxFontBytes) return `it holds ${slot.fontBytes} bytes of embedded fonts`;
      return slot.residentBytes > memoryLimitBytes ? `it uses ${slot.residentBytes} bytes of memory` : undefined;
    },
    healthCheck: { everyMs: options.healthCheckMs ?? defaultHealthCheckMs, check: (slot, taken) => slot.ping(taken) },
    timeLimitMs: options.convertTimeoutMs,
    quickMs: options.convertTimeoutMs / 100,
    keepsSlotFree: options.keepsSlotFree ?? true,
    errors: {
      unavailable: () => officeUnavailable('No LibreOffice is ready to convert documents.'),
      closing: () => officeUnavailable('The converter is shutting down.'),
    },
    logger: options.logger,
  });
  const giveUp = (): void => void pool.close();
  options.startSignal?.addEventListener('abort', giveUp);
  try {
    options.startSignal?.throwIfAborted();
    await pool.start();
  } finally {
    options.startSignal?.removeEventListener('abort', giveUp);
  }
  return {
    async convert({
      account,
      addWorkMs,
      templateKey,
      docx,
      fonts,
      pdf,
      refresh = true,
      filename = '',
      localDate,
      signal,
      beforeStart,
    }) {
      const filterData = toFilterData(pdf);
      const shown = { name: toDocumentName(filename), date: localDate };
      const convertWith = async (slot: OfficeSlot, waitMs: number): Promise<ConvertResult> => {
        await beforeStart?.(waitMs);
        const startedAt = performance.now();
        const request = { filterData, ...shown, refresh, fonts };
        const { kept, ...converted } = await measureWork(addWorkMs, () => slot.convert(docx, request));
        conversions++;
        const warnings = kept.map(describeKeptIndex);
        return { ...converted, warnings, convertMs: performance.now() - startedAt, waitMs };
      };
      return pool.use(convertWith, { account, work: templateKey, signal });
    },
    status() {
      const counts = pool.counts();
      const isReady = counts.warm > 0 && !pool.isClosed;
      return { slots, ...counts, conversions, jail: [jail.level, ...confinement].join('+'), engine, isReady };
    },
    waitingOf: (account) => pool.waitingOf(account),
    async close() {
      await pool.close();
      await folder.remove();
    },
  };
}
