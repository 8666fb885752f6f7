import { join } from 'node:path';
import type { Logger } from '../../../shared/logger.ts';
import { ConversionTask, type ConvertRequest, type ConvertResult } from './conversion-task.ts';
import { chooseJail, type JailMode } from './jail/choose-jail.ts';
import type { Jail } from './jail/jail-kinds.ts';
import { officeUnavailable, SlotUnresponsive } from './office-error.ts';
import { openPoolFolder, type PoolFolder, sweepDeadPools } from './pool-folder.ts';
import { findPrograms, type OfficePrograms } from './programs.ts';
import type { Slot } from './slot.ts';
import { type FleetOptions, SlotFleet } from './slot-fleet.ts';
import { WaitQueue } from './wait-queue.ts';

export type { ConvertRequest, ConvertResult } from './conversion-task.ts';
export { isSlotLost, OfficeError } from './office-error.ts';
export type { PdfOptions } from './pdf-options.ts';

export interface OfficePoolOptions {
  readonly slots: number;
  /** Counted from the moment a slot has the document; waiting for a slot is not part of it. */
  readonly convertTimeoutMs: number;
  readonly startTimeoutMs: number;
  /** Conversions before a slot is replaced. */
  readonly recycleAfter: number;
  /** Resident memory of a slot's processes above which it is replaced. */
  readonly memoryLimitBytes: number;
  /** Folder for the slots' private folders; best memory-backed, and local to this machine. */
  readonly tempDir: string;
  readonly logger: Logger;
  readonly pythonPath?: string | undefined;
  readonly sofficePath?: string | undefined;
  readonly jail?: JailMode | undefined;
  /** Its processes give way to others, 0 to 19 as `nice` counts. */
  readonly niceness?: number | undefined;
}

export interface OfficeStatus {
  readonly slots: number;
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly conversions: number;
  readonly restarts: number;
  readonly kills: number;
  readonly jail: string;
  readonly isReady: boolean;
}

export interface OfficePool {
  /** A PDF of the .docx. Rejects with OfficeError, whose `slotLost` tells that the document killed or hung LibreOffice. */
  convert(request: ConvertRequest): Promise<ConvertResult>;
  status(): OfficeStatus;
  /** Kills every process, fails what is waiting or under way with `unavailable`, and removes the pool's files. */
  close(): Promise<void>;
}

const waitersPerSlot = 32;
const maxAttempts = 3;

/** Starts the slots and resolves when the first is warm; the error names the program that is missing. */
export async function startOfficePool(options: OfficePoolOptions): Promise<OfficePool> {
  const { logger, tempDir } = options;
  const programs = await findPrograms(options);
  const folder = await openPoolFolder(tempDir);
  try {
    await sweepDeadPools(tempDir, logger);
    const jail = await probeJail(options, programs, folder);
    const pool = new Pool(options, { ...options, folder, slot: { ...options, jail, programs } });
    await pool.start();
    return pool;
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

class Pool implements OfficePool {
  readonly #slots: number;
  readonly #folder: PoolFolder;
  readonly #fleet: SlotFleet;
  readonly #waiting: WaitQueue<ConversionTask>;
  readonly #running = new Set<ConversionTask>();
  #conversions = 0;
  #closed: Promise<void> | undefined;

  constructor(options: OfficePoolOptions, fleet: FleetOptions) {
    this.#slots = options.slots;
    this.#folder = fleet.folder;
    this.#waiting = new WaitQueue(options.slots * waitersPerSlot);
    this.#fleet = new SlotFleet(fleet, {
      onIdle: () => this.#dispatch(),
      onUnavailable: () => this.#failWaiting(noneWarm()),
    });
  }

  async start(): Promise<void> {
    try {
      await this.#fleet.start();
    } catch (error) {
      await this.#fleet.close();
      throw error;
    }
  }

  async convert(request: ConvertRequest): Promise<ConvertResult> {
    const { signal } = request;
    signal?.throwIfAborted();
    const task = new ConversionTask(request);
    if (this.#closed !== undefined) throw closing();
    if (this.#fleet.isUnavailable) throw noneWarm();
    if (!this.#waiting.push(task)) throw officeUnavailable('Too many documents are waiting for conversion.');
    const abort = (): void => {
      this.#waiting.remove(task);
      task.fail(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    this.#dispatch();
    try {
      return await task.result;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  status(): OfficeStatus {
    const { warm, busy, restarts, kills, jail } = this.#fleet;
    const counts = { slots: this.#slots, warm, busy, waiting: this.#waiting.size, conversions: this.#conversions };
    return { ...counts, restarts, kills, jail, isReady: warm > 0 && this.#closed === undefined };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#failWaiting(closing());
    for (const task of this.#running) task.fail(closing());
    await this.#fleet.close();
    await this.#folder.remove();
  }

  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const slot = this.#fleet.acquire();
      if (slot === undefined) return;
      const task = this.#waiting.take();
      if (task === undefined) {
        this.#fleet.release(slot, false);
        return;
      }
      void this.#run(slot, task);
    }
  }

  async #run(slot: Slot, task: ConversionTask): Promise<void> {
    this.#running.add(task);
    task.start();
    let hasConverted = false;
    try {
      const { pdf, pages } = await slot.convert(task.docx, task.filterData, task.name);
      hasConverted = true;
      this.#conversions++;
      task.succeed(pdf, pages);
    } catch (error) {
      if (!(error instanceof SlotUnresponsive)) task.fail(error);
      else if (task.attempts < maxAttempts && !task.isSettled) this.#waiting.putBack(task);
      else task.fail(noneWarm());
    } finally {
      this.#running.delete(task);
      this.#fleet.release(slot, hasConverted);
      this.#dispatch();
    }
  }

  #failWaiting(error: Error): void {
    for (const task of this.#waiting.takeAll()) task.fail(error);
  }
}

const closing = (): Error => officeUnavailable('The converter is shutting down.');
const noneWarm = (): Error => officeUnavailable('No LibreOffice is ready to convert documents.');
