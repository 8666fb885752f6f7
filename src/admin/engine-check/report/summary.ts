import type { CaseResult } from '../results.ts';

export interface ReportInput {
  readonly oldEngine: string;
  readonly newEngine: string;
  readonly results: readonly CaseResult[];
  /** All cases of the check, including those that an interruption left out. */
  readonly total: number;
  readonly at: Date;
}

export interface Summary {
  readonly cases: number;
  readonly equal: number;
  readonly different: number;
  /** Cases for which no engine made a PDF. */
  readonly notCompared: number;
  /** Cases that could not be checked. */
  readonly failed: number;
  /** Cases that were left out because the check was interrupted. */
  readonly missing: number;
}
