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
