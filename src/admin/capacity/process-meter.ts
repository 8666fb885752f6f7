import { childrenOf, nameOf, processorMs, residentBytes, withDescendants } from '../../shared/process-use.ts';
import { renderProcessTitle } from '../../worker/docx/sandbox/render-process-title.ts';

const megabyte = 1024 * 1024;
const sampleMs = 100;

/**
 * CPU time in milliseconds: of this process without the metering itself, of the render processes, and of LibreOffice
 * with its agents.
 */
export interface ProcessorTime {
  readonly main: number;
  readonly render: number;
  readonly office: number;
}

/** Peak resident memory of one render process, and of one slot with all its processes, in MB. */
export interface PeakMemory {
  readonly renderProcess: number;
  readonly slot: number;
}

export interface ProcessMeter {
  /** The CPU time used since the meter was opened. */
  used(): ProcessorTime;
  /** The peaks since the last call, sampled every 100 ms. */
  takePeaks(): PeakMemory;
  close(): void;
}

/** Whether this system reports the resource usage of processes. */
export const canMeter = (): boolean => process.platform === 'linux' && residentBytes(process.pid) > 0;

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
      // A smaller value belongs to another process that reuses the id; an ended process reports 0.
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

/** Undefined for any other program, such as one that lists fonts. */
function engineOf(pids: readonly number[]): Engine | undefined {
  const names = pids.map(nameOf);
  if (names.some((name) => name.startsWith('soffice'))) return 'office';
  return names.includes(renderProcessTitle) ? 'render' : undefined;
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
