import { join } from 'node:path';
import type { LongTable } from '@docmill/layout';
import type { Logger } from '../../../shared/logger.ts';
import { SlotUnresponsive } from '../../supervisor/slot-pool.ts';
import type { Slot } from '../../supervisor/slot-supervisor.ts';
import type { KeptIndex, Layout } from './agent/agent-messages.ts';
import type { AgentEvent } from './agent/agent-process.ts';
import { type AgentSession, type Outcome, startAgentSession } from './agent/agent-session.ts';
import { agentSettings } from './agent/agent-settings.ts';
import { countPdfPages } from './count-pdf-pages.ts';
import { type FilterData, invalidRange } from './filter-data.ts';
import { fontSettingsFile } from './font-settings.ts';
import { type Jail, markerName, type SlotPaths } from './jail/jail-kinds.ts';
import { type PredictJoints, predictInProcess } from './long-tables/predict-in-process.ts';
import {
  conversionLate,
  conversionRefused,
  OfficeError,
  officeLost,
  outputBroken,
  RefreshLost,
} from './office-error.ts';
import { removeOfficeSockets } from './office-sockets.ts';
import { identify, killGroup } from './process-group.ts';
import type { OfficePrograms } from './programs.ts';
import { type JobFolder, makeSlotFolder, openJobFolder, removeSlotFolder } from './slot-folder.ts';

export interface OfficeSlotOptions {
  readonly paths: SlotPaths;
  readonly jail: Jail;
  readonly programs: OfficePrograms;
  readonly convertTimeoutMs: number;
  readonly memoryLimitBytes: number;
  readonly niceness?: number | undefined;
  readonly longTableRows?: number | undefined;
  readonly predictJoints?: PredictJoints | undefined;
  readonly logger: Logger;
}

/** The program that lays out pages. */
export interface OfficeEngine {
  readonly name: string;
  /** As reported by the running program, such as 25.2.3.2. */
  readonly version: string;
}

/** A font part of a .docx, identified by a name that no other font ever has. */
export interface EmbeddedFont {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface Converted {
  readonly pdf: Uint8Array;
  readonly pages: number;
  /** The number of parts in which long tables were laid out; 0 if there were none or they stayed whole. */
  readonly tableParts: number;
  readonly engine: OfficeEngine;
  /** Indexes that are kept as the author made them. */
  readonly kept: readonly KeptIndex[];
  readonly layout: Layout;
}

interface SlotRequest {
  readonly filterData: FilterData;
  /** Name that FILENAME fields show. Default: document.docx. */
  readonly name?: string | undefined;
  /** The local time for date and time fields, such as 2026-03-31T14:30:00. Default: the current time. */
  readonly date?: string | undefined;
  /** Whether fields and indexes are refreshed. Default: true. */
  readonly refresh?: boolean;
  /** The fonts in the document. */
  readonly fonts?: readonly EmbeddedFont[] | undefined;
}

const stepEvents: ReadonlySet<AgentEvent['event']> = new Set(['started', 'refreshing', 'refreshed']);

/** Creates the slot's folders, starts LibreOffice in its jail and resolves when it has converted its first document. */
export async function startOfficeSlot(options: OfficeSlotOptions, signal: AbortSignal): Promise<OfficeSlot> {
  const { paths, jail } = options;
  let slot: OfficeSlot | undefined;
  try {
    await makeSlotFolder(paths.slotDir, jail.fileOwner);
    signal.throwIfAborted();
    slot = new OfficeSlot(options);
    await slot.warmUp(signal);
    return slot;
  } catch (error) {
    await (slot === undefined ? removeSlotFolder(paths.slotDir) : slot.destroy());
    throw error;
  }
}

/** One warm LibreOffice with its agent: converts one document at a time, and can be destroyed at any time. */
export class OfficeSlot implements Slot {
  readonly #options: OfficeSlotOptions;
  readonly #agent: AgentSession;
  readonly #leader: ReturnType<typeof identify>;
  readonly ended: Promise<string>;
  #destroyed: Promise<void> | undefined;
  readonly #fonts = new Map<string, number>();
  /** Whether LibreOffice was killed because it did not respond in time. */
  wasKilled = false;
  conversions = 0;
  residentBytes = 0;
  confinement: readonly string[] = [];
  engine: OfficeEngine = { name: '', version: '' };

  constructor(options: OfficeSlotOptions) {
    const { jail, paths, programs } = options;
    const inner = jail.inner(paths);
    const settings = agentSettings(inner, programs, options);
    const command = [programs.python, '-IB', `${inner.agentDir}/agent.py`, settings];
    this.#options = options;
    this.#agent = startAgentSession(jail.wrap(paths, command), options.convertTimeoutMs);
    this.ended = this.#agent.ended;
    this.#leader = identify(this.#agent.pid);
  }

  /** Size of the fonts that LibreOffice has loaded from documents and keeps. */
  get fontBytes(): number {
    return sumBytes([...this.#fonts.values()].map((sizeBytes) => ({ sizeBytes })));
  }

  get isGone(): boolean {
    return this.#destroyed !== undefined;
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    const ready = await this.#agent.untilReady(signal);
    this.confinement = ready.confinement;
    this.engine = { name: ready.name, version: ready.version };
    this.residentBytes = ready.residentBytes;
    if (!this.#options.jail.hasPrivateFiles) await removeOfficeSockets(ready.sockets);
  }

  /** Converts a .docx. LibreOffice is idle again or destroyed when the promise settles. Throws OfficeError. */
  async convert(docx: Uint8Array, request: SlotRequest): Promise<Converted> {
    const { paths, jail, logger } = this.#options;
    // LibreOffice would open an empty file as a new document.
    if (!startsAsZip(docx)) throw conversionRefused('load', 'not a zip archive');
    const job = await openJobFolder(join(paths.slotDir, 'jobs'), docx, jail.fileOwner).catch((error: unknown) => {
      throw this.isGone ? new SlotUnresponsive('lost') : error;
    });
    const onRemoveFailed = (cause: unknown): void => logger.warn({ err: cause }, 'a job folder could not be removed');
    try {
      for (const font of request.fonts ?? []) this.#fonts.set(font.name, font.sizeBytes);
      const converted = await this.#convertIn(job, docx, request);
      // Not awaited, because the next document has its own folder.
      job.remove().catch(onRemoveFailed);
      return converted;
    } catch (error) {
      await job.remove().catch(onRemoveFailed);
      throw error;
    }
  }

  async #convertIn(job: JobFolder, docx: Uint8Array, request: SlotRequest): Promise<Converted> {
    const { filterData, name = 'document.docx', date, refresh = true, fonts = [] } = request;
    let isRefreshing = false;
    const document = { folder: job.name, name, date, filterData, refresh, fontBytes: sumBytes(fonts) };
    const isLast = (event: AgentEvent['event']): boolean => {
      if (event === 'refreshing') isRefreshing = true;
      if (event === 'refreshed') isRefreshing = false;
      return !stepEvents.has(event);
    };
    const fontSettings = join(this.#options.paths.agentDir, fontSettingsFile);
    const { predictJoints = predictInProcess, logger } = this.#options;
    const predict = (table: LongTable) => predictJoints(docx, { table, fontSettings }, logger);
    const outcome = await this.#agent.request(document, isLast, { predict });
    if (outcome.event !== 'done') {
      const failure = await this.#failure(outcome, filterData);
      throw isRefreshing && failure instanceof OfficeError && failure.slotLost ? new RefreshLost(failure) : failure;
    }
    this.conversions++;
    this.residentBytes = outcome.residentBytes;
    // failpoint: pdf-written
    const pdf = await job.readPdf();
    const pages = pdf === undefined ? undefined : countPdfPages(pdf);
    if (pdf === undefined || pages === undefined || pages < 1) throw outputBroken();
    const { tableParts, kept, layout } = outcome;
    return { pdf, pages, tableParts, engine: this.engine, kept, layout };
  }

  /** Throws `SlotUnresponsive` unless LibreOffice responds. Ends at once if a request takes the slot. */
  async ping(taken: AbortSignal): Promise<void> {
    const outcome = await this.#agent.request({}, () => true, { taken });
    if (outcome.event === 'started' || outcome.event === 'taken') return;
    this.wasKilled = true;
    await this.destroy();
    throw new SlotUnresponsive(outcome.event);
  }

  /** Kills everything the slot started and removes its folder. Never rejects: callers report why the slot was lost. */
  destroy(): Promise<void> {
    this.#destroyed ??= this.#destroy();
    return this.#destroyed;
  }

  async #destroy(): Promise<void> {
    const { paths, logger } = this.#options;
    try {
      const remaining = await killGroup(await this.#leader, `${markerName}=${paths.marker}\0`);
      if (remaining > 0) logger.error({ remaining }, 'processes of a LibreOffice slot could not be killed');
      await removeSlotFolder(paths.slotDir);
    } catch (error) {
      logger.error({ err: error }, 'a LibreOffice slot could not be cleaned up');
    }
  }

  async #failure(outcome: Outcome, filterData: FilterData): Promise<Error> {
    if (outcome.event === 'refused') {
      this.residentBytes = outcome.residentBytes;
      if (outcome.stage === 'leftover') {
        await this.destroy();
        return new SlotUnresponsive(outcome.reason);
      }
      return invalidRange(filterData, outcome.pages) ?? conversionRefused(outcome.stage, outcome.reason);
    }
    this.wasKilled = outcome.event !== 'exit';
    await this.destroy();
    if (outcome.event === 'silent') return new SlotUnresponsive(outcome.event);
    return outcome.event === 'late' || outcome.event === 'stuck'
      ? conversionLate(this.#options.convertTimeoutMs)
      : officeLost();
  }
}

function startsAsZip(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, i) => bytes[i] === byte);
}

function sumBytes(items: readonly { readonly sizeBytes: number }[]): number {
  return items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
