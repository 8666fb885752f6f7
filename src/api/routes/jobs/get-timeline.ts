import { z } from '@hono/zod-openapi';
import { type DeliveryRecord, listDeliveriesOf } from '../../../shared/domain/deliveries/find-delivery.ts';
import type { DocumentRecord } from '../../../shared/domain/documents/document-record.ts';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import {
  type DocumentWebhook,
  listWebhooksOfDocument,
} from '../../../shared/domain/webhooks/list-webhooks-of-document.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { jobIdParam } from './job-resource.ts';

const steps = ['queue', 'render', 'convert', 'finish', 'email', 'webhook'] as const;
const statuses = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const entrySchema = z
  .object({
    step: z.enum(steps).openapi({
      description:
        '`queue`: waiting for a worker. `render`: filling the template. `convert`: converting to PDF. `finish`: storing and charging. `email`, `webhook`: sending it and its events.',
    }),
    status: z.enum(statuses).openapi({ description: 'How the step stands. `failed` for an e-mail that not all got.' }),
    startedAt: z.iso
      .datetime()
      .openapi({ description: 'When it began; of render and convert to within some milliseconds.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When it ended.' }),
    nextAttemptAt: z.iso.datetime().optional().openapi({ description: 'Time of the next attempt.' }),
    attempts: z.number().int().optional().openapi({ description: 'Attempts so far, of e-mails and webhooks.' }),
    message: z.string().optional().openapi({ description: 'Why it failed, or the last reply.' }),
    eventType: z.string().optional().openapi({ description: 'Event of a webhook.' }),
    deliveryId: z.string().optional().openapi({
      description: 'The e-mail, `/v1/deliveries/{id}`, or the delivery of a webhook.',
    }),
    webhookId: z.string().optional().openapi({ description: 'The webhook.' }),
  })
  .openapi('TimelineEntry');

type Entry = z.infer<typeof entrySchema>;

export const getTimelineOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs/{id}/timeline',
    operationId: 'getJobTimeline',
    summary: 'Get the timeline of a job',
    description:
      'What happened to a document, in the order of its beginning: waiting, rendering, converting, and its e-mails and webhooks with their results, as long as these are kept.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: {
      200: {
        description: 'The steps so far.',
        content: { 'application/json': { schema: z.array(entrySchema).openapi('JobTimeline') } },
      },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    const accountId = c.get('accountId');
    const job = await findOwnDocument(db, accountId, pathId(c));
    const emails = await listDeliveriesOf(db, accountId, job.id);
    const ids = [job.id, ...emails.map(({ id }) => id)];
    const endedAt = [job.finishedAt, ...emails.map(({ finishedAt }) => finishedAt)].filter((at) => at !== undefined);
    const webhooks = await listWebhooksOfDocument(db, { accountId, ids, endedAt });
    const entries = [...ownSteps(job), ...emails.map(toEmail), ...webhooks.map(toWebhook)];
    return c.json(entries.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)));
  },
};

/** Only the durations of stages are stored: each stage begins when the previous one ends. */
function ownSteps({
  status,
  acceptedAt,
  startedAt,
  finishedAt,
  timings,
  error,
  format,
}: DocumentRecord): readonly Entry[] {
  const ending = {
    status: status === 'queued' ? 'running' : status,
    ...(error !== undefined && { message: error.message }),
  };
  const at = (time: Date, ms = 0): string => new Date(time.getTime() + ms).toISOString();
  const queued = { step: 'queue' as const, startedAt: at(acceptedAt) };
  if (startedAt === undefined) {
    return [
      finishedAt === undefined
        ? { ...queued, status: 'waiting' }
        : { ...queued, ...ending, finishedAt: at(finishedAt) },
    ];
  }
  const first: Entry = { ...queued, status: 'succeeded', finishedAt: at(startedAt) };
  if (finishedAt === undefined) return [first, { step: 'render', status: 'running', startedAt: at(startedAt) }];
  if (timings === undefined) {
    return [first, { step: 'render', ...ending, startedAt: at(startedAt), finishedAt: at(finishedAt) }];
  }
  const rendered = Math.min(timings.renderMs, finishedAt.getTime() - startedAt.getTime());
  const converted = Math.min(rendered + timings.convertMs, finishedAt.getTime() - startedAt.getTime());
  const step = (name: Entry['step'], from: number, to: number): Entry => ({
    step: name,
    status: 'succeeded',
    startedAt: at(startedAt, from),
    finishedAt: at(startedAt, to),
  });
  return [
    first,
    step('render', 0, rendered),
    ...(format === 'pdf' ? [step('convert', rendered, converted)] : []),
    { ...step('finish', converted, converted), ...ending, finishedAt: at(finishedAt) },
  ];
}

const emailStatuses: Readonly<Partial<Record<DeliveryRecord['status'], Entry['status']>>> = {
  pending: 'waiting',
  sent: 'succeeded',
  skipped: 'cancelled',
};

function toEmail({ id, status, attempts, lastReply, createdAt, nextAttemptAt, finishedAt }: DeliveryRecord): Entry {
  const isFailure = status === 'failed' || status === 'partial' || status === 'unknown';
  return {
    step: 'email',
    status: isFailure ? 'failed' : (emailStatuses[status] ?? 'running'),
    startedAt: createdAt.toISOString(),
    ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
    attempts,
    ...(lastReply !== undefined && { message: lastReply }),
    deliveryId: id,
  };
}

const webhookStatuses = { pending: 'waiting', sending: 'running', delivered: 'succeeded', failed: 'failed' } as const;

function toWebhook(delivery: DocumentWebhook): Entry {
  const { id, webhookId, eventType, status, attempts, responseStatus, error, createdAt, nextAttemptAt, finishedAt } =
    delivery;
  const message = error ?? (responseStatus === null ? undefined : `HTTP ${responseStatus}`);
  return {
    step: 'webhook',
    status: webhookStatuses[status],
    startedAt: createdAt.toISOString(),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
    ...(status === 'pending' && { nextAttemptAt: nextAttemptAt.toISOString() }),
    attempts,
    ...(message !== undefined && { message }),
    eventType,
    deliveryId: id,
    webhookId,
  };
}
