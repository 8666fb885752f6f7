import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../shared/logger.ts';
import type { PoolFolder } from './pool-folder.ts';
import { type Slot, type SlotOptions, startSlot } from './slot.ts';

export interface FleetOptions {
  readonly slots: number;
  readonly recycleAfter: number;
  readonly memoryLimitBytes: number;
  readonly folder: PoolFolder;
  readonly slot: Omit<SlotOptions, 'paths'>;
  readonly logger: Logger;
}

export interface FleetEvents {
  /** A slot can be had. */
  readonly onIdle: () => void;
  /** No slot is warm and none could be started several times in a row. */
  readonly onUnavailable: () => void;
}

const firstRetryMs = 500;
const longestRetryMs = 30_000;
const failuresUntilUnavailable = 3;
const healthCheckMs = 15_000;

/** Keeps the wanted number of slots warm: starts them, replaces the dead at once and the worn before they leave. */
export class SlotFleet {
  readonly #options: FleetOptions;
  readonly #events: FleetEvents;
  readonly #stopping = new AbortController();
  readonly #idle: Slot[] = [];
  readonly #busy = new Set<Slot>();
  readonly #leaving = new Set<Slot>();
  readonly #work = new Set<Promise<void>>();
  #worn: Slot | undefined;
  #starting = 0;
  #failures = 0;
  #warmStarts = 0;
  #created = 0;
  #kills = 0;
  #confinement: readonly string[] = [];
  #firstWarm: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  #healthTimer: NodeJS.Timeout | undefined;

  constructor(options: FleetOptions, events: FleetEvents) {
    this.#options = options;
    this.#events = events;
  }

  /** Starts all slots; resolves when the first is warm, rejects when none could be started. */
  start(): Promise<void> {
    this.#healthTimer = setInterval(() => this.#checkIdleSlots(), healthCheckMs);
    this.#healthTimer.unref();
    return new Promise((resolve, reject) => {
      this.#firstWarm = { resolve, reject };
      this.#fill();
    });
  }

  get warm(): number {
    return this.#idle.length + this.#busy.size;
  }

  get busy(): number {
    return this.#busy.size;
  }

  get kills(): number {
    return this.#kills;
  }

  get restarts(): number {
    return Math.max(0, this.#warmStarts - this.#options.slots);
  }

  get jail(): string {
    return [this.#options.slot.jail.level, ...this.#confinement].join('+');
  }

  get isUnavailable(): boolean {
    return this.warm === 0 && this.#failures >= failuresUntilUnavailable;
  }

  /** Takes the slot that has been idle for longest. */
  acquire(): Slot | undefined {
    const slot = this.#idle.shift();
    if (slot !== undefined) this.#busy.add(slot);
    return slot;
  }

  release(slot: Slot, hasConverted: boolean): void {
    if (hasConverted) this.#failures = 0;
    if (!this.#busy.delete(slot)) return;
    if (slot.isDestroyed) {
      this.#fill();
      return;
    }
    if (this.#leaving.delete(slot)) {
      this.#retire(slot);
      return;
    }
    this.#idle.push(slot);
    this.#considerWear(slot);
    this.#events.onIdle();
  }

  async close(): Promise<void> {
    clearInterval(this.#healthTimer);
    this.#stopping.abort();
    for (const slot of [...this.#idle, ...this.#busy]) this.#retire(slot);
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  #considerWear(slot: Slot): void {
    const { recycleAfter, memoryLimitBytes, logger } = this.#options;
    const { conversions, residentBytes } = slot;
    if (this.#worn !== undefined || (conversions < recycleAfter && residentBytes <= memoryLimitBytes)) return;
    this.#worn = slot;
    logger.info({ conversions, residentBytes }, 'a LibreOffice slot will be replaced');
    this.#fill();
  }

  #fill(): void {
    if (this.#stopping.signal.aborted) return;
    const staying = this.warm - this.#leaving.size - (this.#worn === undefined ? 0 : 1);
    for (let have = staying + this.#starting; have < this.#options.slots; have++) this.#track(this.#startOne());
  }

  async #startOne(): Promise<void> {
    this.#starting++;
    const startedAt = performance.now();
    try {
      if (this.#failures > 0) await delay(this.#retryMs(), undefined, { signal: this.#stopping.signal });
      const slot = await startSlot(this.#slotOptions(), this.#stopping.signal);
      this.#starting--;
      this.#adopt(slot, performance.now() - startedAt);
    } catch (error) {
      this.#starting--;
      if (!this.#stopping.signal.aborted) this.#onStartFailed(error);
    }
  }

  #slotOptions(): SlotOptions {
    const { folder, slot } = this.#options;
    const name = `slot-${++this.#created}`;
    const paths = { slotDir: join(folder.path, name), agentDir: folder.agentDir, marker: `${folder.name}/${name}` };
    return { ...slot, paths };
  }

  #retryMs(): number {
    return Math.min(longestRetryMs, firstRetryMs * 2 ** (this.#failures - 1));
  }

  #adopt(slot: Slot, startMs: number): void {
    if (this.#stopping.signal.aborted) {
      this.#retire(slot);
      return;
    }
    this.#warmStarts++;
    this.#confinement = slot.confinement;
    this.#idle.push(slot);
    this.#track(slot.lost.then((reason) => this.#onLost(slot, reason)));
    this.#options.logger.info(
      { startMs: Math.round(startMs), confinement: slot.confinement },
      'a LibreOffice slot is warm',
    );
    if (this.#worn !== undefined) this.#letGo(this.#worn);
    this.#firstWarm?.resolve();
    this.#firstWarm = undefined;
    this.#fill();
    this.#events.onIdle();
  }

  #letGo(worn: Slot): void {
    this.#worn = undefined;
    if (this.#busy.has(worn)) this.#leaving.add(worn);
    else this.#retire(worn);
  }

  #retire(slot: Slot): void {
    this.#forget(slot);
    this.#track(slot.destroy());
  }

  #forget(slot: Slot): void {
    const index = this.#idle.indexOf(slot);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#busy.delete(slot);
    this.#leaving.delete(slot);
    if (this.#worn === slot) this.#worn = undefined;
  }

  async #onLost(slot: Slot, reason: string): Promise<void> {
    const wasIdle = this.#idle.includes(slot);
    const wasExpected = !wasIdle && !this.#busy.has(slot);
    this.#forget(slot);
    if (slot.wasKilled) this.#kills++;
    if (wasIdle && slot.conversions === 0) this.#failures++;
    if (!wasExpected)
      this.#options.logger.warn({ reason, wasIdle, conversions: slot.conversions }, 'a LibreOffice slot was lost');
    this.#fill();
    await slot.destroy();
  }

  #onStartFailed(error: unknown): void {
    this.#failures++;
    this.#options.logger.error({ err: error, failures: this.#failures }, 'a LibreOffice slot could not be started');
    if (this.#firstWarm !== undefined) {
      if (this.#starting === 0) this.#firstWarm.reject(error);
      return;
    }
    if (this.isUnavailable) this.#events.onUnavailable();
    this.#fill();
  }

  #checkIdleSlots(): void {
    for (const slot of this.#idle.splice(0)) {
      this.#busy.add(slot);
      const release = (): void => this.release(slot, false);
      this.#track(slot.ping().then(release, release));
    }
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#options.logger.error({ err: error }, 'LibreOffice slot upkeep failed'))
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }
}
