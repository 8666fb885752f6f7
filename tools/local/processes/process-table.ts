import { renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Report } from '../report.ts';
import { readStateFile } from '../state-file.ts';
import { ManagedProcess, type ProcessSpec } from './managed-process.ts';
import { processIdentity, signalProcess } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';
import { Watchdog } from './watchdog.ts';

const recordSchema = z.array(
  z.object({ name: z.string(), pid: z.number(), identity: z.string(), stopSignal: z.enum(['SIGINT', 'SIGTERM']) }),
);
type RecordedProcess = z.infer<typeof recordSchema>[number];

/**
 * All processes of this stack. The table is recorded in a file for the next start, reported to the watchdog, and used
 * to stop the processes in order.
 */
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

  /** Stops one process and removes it from the table. */
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

/** Stops processes that an earlier stack left running. Skips a process id that now belongs to another process. */
export async function stopLeftovers(recordFile: string, report: Report): Promise<void> {
  for (const record of readStateFile(recordFile, recordSchema) ?? []) {
    const isRunning = (): boolean => processIdentity(record.pid) === record.identity;
    if (!isRunning()) continue;
    report(`stopping ${record.name} (pid ${record.pid}), left by an earlier run`);
    signalProcess(record.pid, record.stopSignal);
    signalProcess(record.pid, 'SIGCONT');
    const exited = waitUntil(async () => !isRunning(), { what: `the exit of ${record.name}`, timeoutMs: 10_000 });
    await exited.catch(() => signalProcess(-record.pid, 'SIGKILL'));
  }
}
