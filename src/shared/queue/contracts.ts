import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import type { QueueName } from '../config/worker-variables.ts';
import { requestTrace } from '../request-trace.ts';
import { syntaxSchema } from './syntax-schema.ts';

/** The reply channel of the waiting API process, or null. */
const replyTo = z.string().max(200).nullable();

/** The account whose share of the queue the job uses. */
const accountId = z.string().min(1);
/** Also stored in PostgreSQL; included here for log lines before the claim. */
const trace = requestTrace.optional();
const row = z.strictObject({ documentId: z.string().min(1), replyTo, trace });
const document = row.extend({ accountId });
/** A preview has no row: `documentId` is its own id, under which Redis holds its description. */
const printed = document.extend({ isPreview: z.boolean().optional() });
const sampleOptions = z.strictObject({
  locale: z.string().optional(),
  timezone: z.string().optional(),
  onMissing: z.enum(['empty', 'error', 'highlight']).optional(),
  externalContent: z.enum(['keep', 'remove']).optional(),
});
/** The upload is a template unless `kind` says otherwise. `hasSample` also fills it with sample data. */
const inspection = z.strictObject({
  uploadId: z.string().min(1),
  accountId,
  replyTo,
  trace,
  kind: z.enum(['template', 'picture', 'font', 'invoice']).optional(),
  hasSample: z.boolean().optional(),
  sampleOptions: sampleOptions.optional(),
  syntax: syntaxSchema.optional(),
  /** The text of an invoice mapping, which is checked with the template. */
  invoiceMap: z.string().optional(),
});
const delivery = z.strictObject({ deliveryId: z.string().min(1) });
const bundle = z.strictObject({ batchId: z.string().min(1) });
const webhook = z.strictObject({ accountId });
const maintenance = z.strictObject({ task: z.enum(['sweep', 'orphans', 'retention']) });

const once: JobsOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
const retried: JobsOptions = { ...once, attempts: 3, backoff: { type: 'exponential', delay: 250, jitter: 0.5 } };
/** Retried more often: if the object store fails, the documents are already produced and charged. */
const bundled: JobsOptions = { ...once, attempts: 10, backoff: { type: 'exponential', delay: 2_000, jitter: 0.5 } };

/** Every queue: the payload of its jobs (only ids; the state is in PostgreSQL) and their BullMQ options. */
export const queueContracts = {
  docx: { payload: document, options: retried },
  pdf: { payload: printed, options: retried },
  'docx-batch': { payload: row, options: retried },
  'pdf-batch': { payload: row, options: retried },
  inspect: { payload: inspection, options: once },
  mail: { payload: delivery, options: once },
  webhook: { payload: webhook, options: once },
  bundle: { payload: bundle, options: bundled },
  maintenance: { payload: maintenance, options: once },
} as const satisfies Record<QueueName, { payload: z.ZodType; options: JobsOptions }>;

/** Queues whose callers wait for the result. They divide working time fairly among accounts. */
export const fairQueueNames = ['docx', 'pdf', 'inspect'] as const satisfies readonly QueueName[];
export type FairQueueName = (typeof fairQueueNames)[number];

export const isFair = (name: QueueName): name is FairQueueName => fairQueueNames.some((fair) => fair === name);

export type JobPayload<Name extends QueueName> = z.infer<(typeof queueContracts)[Name]['payload']>;

/** A LibreOffice version to which a template is pinned, such as 25.2; undefined or null for any. */
export type PinnedEngine = string | null | undefined;

/** The key of a queue. Documents of a pinned template wait in a queue for that engine, such as `pdf@25.2`. */
export function queueKey(name: QueueName, engine?: PinnedEngine): string {
  return typeof engine === 'string' ? `${name}@${engine}` : name;
}

/** The hash tag keeps the keys of one queue in one slot of a Redis Cluster, while queues spread over its nodes. */
export function bullPrefix(prefix: string, key: string): string {
  return `{${prefix}-${key}}`;
}
