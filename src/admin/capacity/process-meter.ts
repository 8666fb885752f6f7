import { readdirSync, readFileSync } from 'node:fs';

const megabyte = 1024 * 1024;
/** The unit of `/proc/<pid>/statm` on the processors that are supported. */
const pageBytes = 4_096;
const sampleMs = 100;
/** The title that a render process gives itself. */
const renderTitle = 'docmill-docx';

/** Processor time, in milliseconds: this process without its measuring, the processes that fill templates, LibreOffice with its agents. */
export interface ProcessorTime {
  readonly main: number;
  readonly render: number;
  readonly office: number;
}

/** The most resident memory of one render process and of one slot with all its processes, in MB. */
export interface PeakMemory {
  readonly renderProcess: number;
  readonly slot: number;
}

export interface ProcessMeter {
  /** What has been used since the meter was opened. */
  used(): ProcessorTime;
  /** The peaks since the last call, from samples of every 100 ms. */
  takePeaks(): PeakMemory;
  close(): void;
}

/** Whether this system reports the use of processes. */
export const canMeter = (): boolean => process.platform === 'linux' && textOf('/proc/self/statm') !== '';

type Engine = 'render' | 'office';

/** Measures the engines that are children of this process (proc(5)). */
export function openProcessMeter(): ProcessMeter {
  const seen = new Map<number, number>();
  const ms = { render: 0, office: 0 };
  let peaks: PeakMemory = { renderProcess: 0, slot: 0 };
  let measuringMs = 0;
  const addEngine = (pids: readonly number[]): void => {
    const engine = engineOf(pids);
    if (engine === undefined) return;
    for (const pid of pids) {
      const now = processorMs(pid);
      const before = seen.get(pid) ?? 0;
      // A smaller one is that of another process with the same id; one that has ended has none.
      ms[engine] += now < before ? now : now - before;
      if (now > 0) seen.set(pid, now);
    }
    const mb = pids.reduce((sum, pid) => sum + residentBytes(pid), 0) / megabyte;
    if (engine === 'render') peaks = { ...peaks, renderProcess: Math.max(peaks.renderProcess, mb) };
    else peaks = { ...peaks, slot: Math.max(peaks.slot, mb) };
  };
  const sample = (): void => {
    const beforeMs = ownMs();
    for (const child of childrenOf(process.pid)) addEngine(withDescendants(child));
    measuringMs += ownMs() - beforeMs;
  };
  const startMs = ownMs();
  const timer = setInterval(sample, sampleMs);
  sample();
  return {
    used() {
      sample();
      return { main: ownMs() - startMs - measuringMs, ...ms };
    },
    takePeaks() {
      sample();
      const taken = peaks;
      peaks = { renderProcess: 0, slot: 0 };
      return taken;
    },
    close: () => clearInterval(timer),
  };
}

/** A program of another kind, such as one that lists fonts, is none of both. */
function engineOf(pids: readonly number[]): Engine | undefined {
  const names = pids.map((pid) => textOf(`/proc/${pid}/comm`).trim());
  if (names.some((name) => name.startsWith('soffice'))) return 'office';
  return names.includes(renderTitle) ? 'render' : undefined;
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Milliseconds of processor time of a process; 0 when it has exited. The greater of two counts: the scheduler's, because the ticks of
 * proc(5) are too coarse for small processes, and the ticks, because they include threads that have ended.
 */
function processorMs(pid: number): number {
  const nanoseconds = namesIn(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [onProcessor] = textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(onProcessor ?? 0);
  }, 0);
  // The program's name is in brackets; the 12th and 13th field behind it are ticks in user and in kernel mode.
  const fields = textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return Math.max(nanoseconds / 1e6, ticks * 10);
}

const residentBytes = (pid: number): number => Number(textOf(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes;

function withDescendants(pid: number): readonly number[] {
  const pids = new Set([pid]);
  for (const each of pids) for (const child of childrenOf(each)) pids.add(child);
  return [...pids];
}

function childrenOf(pid: number): readonly number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
