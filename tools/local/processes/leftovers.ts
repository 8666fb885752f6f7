import type { Report } from '../report.ts';
import { readStateFile } from '../state-file.ts';
import { processIdentity, signalProcess } from './process-identity.ts';
import { recordSchema } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/** Stops what an earlier stack on the same folder left running; a process id that now means another process is spared. */
export async function stopLeftovers(recordFile: string, report: Report): Promise<void> {
  for (const record of readStateFile(recordFile, recordSchema) ?? []) {
    const isRunning = (): boolean => processIdentity(record.pid) === record.identity;
    if (!isRunning()) continue;
    report(`stopping ${record.name} (pid ${record.pid}), left by an earlier run`);
    signalProcess(record.pid, record.stopSignal);
    signalProcess(record.pid, 'SIGCONT');
    const ended = waitUntil(async () => !isRunning(), { what: `the end of ${record.name}`, timeoutMs: 10_000 });
    await ended.catch(() => signalProcess(-record.pid, 'SIGKILL'));
  }
}
