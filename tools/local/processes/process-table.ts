import { renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Report } from '../report.ts';
import { ManagedProcess, type ProcessSpec } from './managed-process.ts';
import { processIdentity } from './process-identity.ts';
import { Watchdog } from './watchdog.ts';

export const recordSchema = z.array(
  z.object({ name: z.string(), pid: z.number(), identity: z.string(), stopSignal: z.enum(['SIGINT', 'SIGTERM']) }),
);
type RecordedProcess = z.infer<typeof recordSchema>[number];

/** Everything this stack has started: recorded in a file for the next start, told to the watchdog, stopped in order. */
export class ProcessTable {
  readonly #recordFile: string;
  readonly #report: Report;
  readonly #watchdog = new Watchdog();
  #processes: ManagedProcess[] = [];
  #isStopping = false;

  constructor(recordFile: string, report: Report) {
    this.#recordFile = recordFile;
    this.#report = report;
    this.#record();
  }

  start(spec: ProcessSpec): ManagedProcess {
    if (this.#isStopping) throw new Error('the stack is stopping');
    const started = new ManagedProcess(spec, this.#report, () => this.#record());
    this.#processes = [...this.#processes, started].sort((a, b) => a.spec.stopRank - b.spec.stopRank);
    this.#record();
    return started;
  }

  /** For a process that failed to start and is to be tried again differently. */
  async drop(process: ManagedProcess): Promise<void> {
    await process.stop();
    this.#processes = this.#processes.filter((other) => other !== process);
    this.#record();
  }

  async stopAll(): Promise<void> {
    this.#isStopping = true;
    for (const rank of new Set(this.#processes.map(({ spec }) => spec.stopRank))) {
      const together = this.#processes.filter(({ spec }) => spec.stopRank === rank);
      await Promise.all(together.map((process) => process.stop()));
    }
    await this.#watchdog.dismiss();
  }

  killAll(): void {
    for (const process of this.#processes) process.kill();
  }

  #record(): void {
    const records = this.#processes.flatMap(({ pid, spec }): RecordedProcess[] => {
      const identity = pid === undefined ? undefined : processIdentity(pid);
      if (pid === undefined || identity === undefined) return [];
      return [{ name: spec.name, pid, identity, stopSignal: spec.stopSignal }];
    });
    this.#watchdog.watch(records);
    writeFileSync(`${this.#recordFile}.new`, `${JSON.stringify(records, null, 2)}\n`);
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }
}
