import { residentBytes } from '../../test/faults/harness/measure.ts';
import type { ServiceProcess } from '../../test/faults/harness/service-process.ts';

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** Samples the memory of processes that run throughout the soak. */
export class MemorySampler {
  readonly #samples = new Map<ServiceProcess, Sample[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(processes: readonly ServiceProcess[], everyMs = 2_000) {
    for (const process of processes) this.#samples.set(process, []);
    this.#timer = setInterval(() => this.#take(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The growth per hour in the second half of the soak, when caches are full, and the last size. */
  slopes(): { readonly name: string; readonly megabytesPerHour: number; readonly lastMegabytes: number }[] {
    return [...this.#samples].map(([{ spec }, samples]) => {
      const settled = samples.slice(Math.floor(samples.length / 2));
      const perMs = slope(settled);
      return {
        name: spec.name,
        megabytesPerHour: (perMs * 3_600_000) / 1024 / 1024,
        lastMegabytes: (settled.at(-1)?.bytes ?? 0) / 1024 / 1024,
      };
    });
  }

  #take(): void {
    for (const [process, samples] of this.#samples) {
      if (process.exit === undefined) samples.push({ atMs: performance.now(), bytes: residentBytes(process.pid) });
    }
  }
}

/** The Theil-Sen estimator: the median of the slopes between pairs, which is robust against bursts of garbage. */
function slope(samples: readonly Sample[]): number {
  const slopes: number[] = [];
  const half = Math.floor(samples.length / 2);
  for (let index = 0; index + half < samples.length; index++) {
    const [early, late] = [samples[index], samples[index + half]];
    if (early !== undefined && late !== undefined) slopes.push((late.bytes - early.bytes) / (late.atMs - early.atMs));
  }
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? 0;
}
