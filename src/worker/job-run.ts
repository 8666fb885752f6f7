import type { Logger } from '../shared/logger.ts';
import { type RequestTrace, traceFields } from '../shared/request-trace.ts';
import { type OwnStages, ownStages, type Stages } from '../shared/stages.ts';
import type { JobFacts } from './job-facts.ts';
import type { JobSpan } from './job-span.ts';
import type { AddWorkMs } from './supervisor/measure-work.ts';

/** What belongs to one run of a job. It is made when the run starts, and passed to every step. */
export interface JobRun {
  /** Adds the ids of the job to each line. */
  readonly logger: Logger;
  readonly stages: OwnStages;
  /** Facts for the log line of the job. */
  readonly facts: JobFacts;
  /** Undefined when no spans are recorded. */
  readonly span?: JobSpan | undefined;
  /** Counts time in engines, which the fair queue charges to the account. Undefined outside fair queues. */
  readonly addWorkMs?: AddWorkMs | undefined;
  /**
   * Called when the document does not need LibreOffice, so that its queue may hand out another one. Undefined outside
   * fair queues.
   */
  readonly releasePermit?: (() => void) | undefined;
}

/** A run without a span or a fair queue. */
export function startRun({ logger, stages }: { readonly logger: Logger; readonly stages: Stages }): JobRun {
  return { logger, stages: ownStages(stages), facts: {} };
}

/** Adds facts to the log line of the job. */
export function noteJob({ facts }: JobRun, more: JobFacts): void {
  Object.assign(facts, more);
}

/** The run from its claim on: its ids appear in the log line of the job, and in every line of the run. */
export function ofClaim(
  job: JobRun,
  trace: RequestTrace | undefined,
  ids: Pick<JobFacts, 'documentId' | 'batchId' | 'deliveryId' | 'accountId'>,
): JobRun {
  const fields = { ...traceFields(job.span === undefined ? trace : job.span.begin(trace)), ...ids };
  noteJob(job, fields);
  return { ...job, logger: job.logger.child(fields) };
}
