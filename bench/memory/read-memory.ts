import { readFileSync } from 'node:fs';
import { commandOf, descendants, residentBytes } from '../../test/faults/harness/measure.ts';

const megabyte = 1024 * 1024;

/** Megabytes of memory at a moment. */
export interface MemorySample {
  /** Resident size of the API. */
  readonly api: number;
  /** The worker and its processes but for LibreOffice, pages that they share counted once. */
  readonly worker: number;
  /** The same processes, the resident size of each added up: pages of node itself count for each of them. */
  readonly workerResident: number;
  /** The LibreOffice slots. */
  readonly office: number;
}

/** Needs /proc; `pids` names the API's and the worker's first process. */
export function readMemory(pids: ReadonlyMap<string, number>): MemorySample {
  const [api = -1, worker = -1] = [pids.get('api'), pids.get('worker')];
  const below = descendants(worker);
  const isNode = (pid: number): boolean => commandOf(pid) === process.execPath || commandOf(pid).startsWith('docmill');
  const own = [worker, ...below.filter(isNode)];
  const office = below.filter((pid) => !isNode(pid));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / megabyte;
  return {
    api: residentBytes(api) / megabyte,
    worker: sum(own.map(proportionalBytes)),
    workerResident: sum(own.map(residentBytes)),
    office: sum(office.map(proportionalBytes)),
  };
}

/** proc(5), Pss: each page divided by the number of processes that share it. 0 for a process that is gone. */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
