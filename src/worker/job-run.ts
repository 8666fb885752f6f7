import type { Logger } from '../shared/logger.ts';
import { type RequestTrace, traceFields } from '../shared/request-trace.ts';
import { type OwnStages, ownStages, type Stages } from '../shared/stages.ts';
import type { JobFacts } from './job-facts.ts';
import type { JobSpan } from './job-span.ts';
import type { AddWorkMs } from './supervisor/measure-work.ts';

/** The state of one run of a job. It is created when the run starts, and passed to every step. */
export interface JobRun {
  /** Adds the ids of the run to each line. */
  readonly logger: Logger;
  addIds(ids: Readonly<Record<string, unknown>>): void;
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
  /** The document's data, if they came with the job. */
  readonly data?: Buffer | undefined;
}

export interface RunOptions {
  readonly logger: Logger;
  readonly stages: Stages;
  /** Ids for each line of the log. */
  readonly ids?: Readonly<Record<string, unknown>>;
  readonly span?: JobSpan | undefined;
  readonly ticket?: Pick<JobRun, 'addWorkMs' | 'releasePermit' | 'data'> | undefined;
}

/** Without a span and a ticket: for a run outside traces and fair queues. */
export function startRun(options: RunOptions): JobRun {
  return new Run(options);
}

/** Most runs log nothing but their end, so the logger is only created once it is used. */
class Run implements JobRun {
  readonly stages: OwnStages;
  readonly facts: JobFacts = {};
  readonly span: JobSpan | undefined;
  readonly addWorkMs: JobRun['addWorkMs'];
  readonly releasePermit: JobRun['releasePermit'];
  readonly data: Buffer | undefined;
  readonly #parent: Logger;
  #ids: Readonly<Record<string, unknown>>;
  #logger: Logger | undefined;

  constructor({ logger, stages, ids = {}, span, ticket }: RunOptions) {
    this.stages = ownStages(stages);
    this.span = span;
    this.addWorkMs = ticket?.addWorkMs;
    this.releasePermit = ticket?.releasePermit;
    this.data = ticket?.data;
    this.#parent = logger;
    this.#ids = ids;
  }

  get logger(): Logger {
    this.#logger ??= this.#parent.child(this.#ids);
    return this.#logger;
  }

  addIds(ids: Readonly<Record<string, unknown>>): void {
    this.#ids = { ...this.#ids, ...ids };
    this.#logger = undefined;
  }
}

/** Adds facts to the log line of the job. */
export function noteJob({ facts }: JobRun, more: JobFacts): void {
  Object.assign(facts, more);
}

/** Notes what the run has claimed: the ids appear in the log line of the job, and in every later line of the run. */
export function noteIds(
  job: JobRun,
  trace: RequestTrace | undefined,
  ids: Pick<JobFacts, 'documentId' | 'batchId' | 'deliveryId' | 'accountId'>,
): void {
  const fields = { ...traceFields(job.span === undefined ? trace : job.span.begin(trace)), ...ids };
  noteJob(job, fields);
  job.addIds(fields);
}
