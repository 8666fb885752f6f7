import type { Logger } from '../shared/logger.ts';
import { type RequestTrace, traceFields } from '../shared/request-trace.ts';

/** How a job ended. `skipped`: there was nothing to do. `fenced`: a later attempt has taken over. */
export type JobOutcome = 'succeeded' | 'failed' | 'retried' | 'fenced' | 'skipped';

/** Facts about a job for its log line. Ids, numbers and codes only. */
export interface JobFacts {
  requestId?: string;
  traceId?: string;
  spanId?: string;
  documentId?: string;
  batchId?: string | undefined;
  deliveryId?: string;
  accountId?: string;
  keyId?: string | undefined;
  templateId?: string;
  templateVersion?: number;
  attempt?: number;
  outcome?: JobOutcome;
  errorCode?: string;
  queueMs?: number;
  bytes?: number;
  pages?: number | undefined;
  /** The number of e-mails or webhooks sent. */
  sent?: number;
}

/** `JobSpan`, which reads these facts. */
interface SpanStart {
  begin(trace: RequestTrace | undefined): RequestTrace | undefined;
}

interface Notable {
  readonly facts?: JobFacts | undefined;
}

/** Adds facts to the log line of the job. */
export function noteJob({ facts }: Notable, more: JobFacts): void {
  if (facts !== undefined) Object.assign(facts, more);
}

/**
 * The dependencies for claimed work. Its ids appear in the log line of the job, and in every line logged through them.
 */
export function ofClaim<Deps extends Notable & { readonly logger: Logger; readonly span?: SpanStart | undefined }>(
  deps: Deps,
  trace: RequestTrace | undefined,
  ids: Pick<JobFacts, 'documentId' | 'batchId' | 'deliveryId' | 'accountId'>,
): Deps {
  const fields = { ...traceFields(deps.span === undefined ? trace : deps.span.begin(trace)), ...ids };
  noteJob(deps, fields);
  return { ...deps, logger: deps.logger.child(fields) };
}
