import type { GenerationTimings, GenerationWarning, ResultLocation } from './generation-record.ts';

export interface FinishedDocument {
  readonly result: ResultLocation;
  readonly pages: number | null;
  readonly warnings: readonly GenerationWarning[];
  readonly timings: GenerationTimings;
  readonly ttlSeconds: number;
}

/** An attempt that was not watched when it was claimed writes no events: most accounts have no webhooks. */
export interface EndedAttempt {
  readonly id: string;
  readonly attemptToken: string;
  readonly emitsEvents?: boolean | undefined;
  readonly isMailed?: boolean | undefined;
}
