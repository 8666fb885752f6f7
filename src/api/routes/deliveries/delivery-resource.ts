import { z } from '@hono/zod-openapi';
import type { DeliveryRecord, DeliveryStatus } from '../../../shared/domain/deliveries/find-delivery.ts';
import { idParam } from '../common-schemas.ts';

export const deliveryIdParam = idParam('dlv', 'The `Email-Delivery-Id` of a generated document.');

const recipientSchema = z
  .object({
    address: z.string().openapi({ description: 'E-mail address.' }),
    status: z
      .enum(['pending', 'sent', 'failed', 'deferred', 'unknown', 'skipped'])
      .openapi({ description: 'What is known of this recipient.' }),
    reply: z.string().optional().openapi({ description: 'Reply of the mail server.' }),
  })
  .openapi('DeliveryRecipient');

export const deliveryStatusSchema = z
  .enum(['pending', 'sending', 'sent', 'partial', 'failed', 'unknown', 'skipped'])
  .openapi('DeliveryStatus');

/** The stored statuses behind a public one: clients do not see which part of sending has begun. */
export const storedStatuses = (status: z.infer<typeof deliveryStatusSchema>): readonly DeliveryStatus[] =>
  status === 'sending' ? ['sending', 'transmitting'] : [status];

const addressList = (name: string) =>
  z
    .array(z.string())
    .optional()
    .openapi({ description: `${name} of the message; only of a single delivery, while the document is kept.` });

export const deliverySchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the delivery.' }),
    documentId: z.string().openapi({ description: 'The document that is sent, as a job: `/v1/jobs/{id}`.' }),
    status: deliveryStatusSchema.openapi({ description: 'Status of the whole delivery.' }),
    attempts: z.number().int().openapi({ description: 'Attempts so far.' }),
    recipients: z.array(recipientSchema).openapi({ description: 'Each recipient once.' }),
    reply: z.string().optional().openapi({ description: 'Last reply of the mail server.' }),
    to: addressList('Recipients'),
    cc: addressList('CC recipients'),
    bcc: addressList('BCC recipients'),
    subject: z.string().optional().openapi({
      description: 'The subject of the request; only of a single delivery. Absent for the default.',
    }),
    body: z.string().optional().openapi({
      description: 'The text or HTML of the request; only of a single delivery. Absent for the default.',
    }),
    createdAt: z.iso.datetime().openapi({ description: 'When the request was accepted.' }),
    nextAttemptAt: z.iso.datetime().optional().openapi({ description: 'Time of the next attempt.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When the delivery ended.' }),
  })
  .openapi('Delivery');

export function toDeliveryResource(delivery: DeliveryRecord): z.infer<typeof deliverySchema> {
  return {
    id: delivery.id,
    documentId: delivery.documentId,
    status: delivery.status === 'transmitting' ? 'sending' : delivery.status,
    attempts: delivery.attempts,
    recipients: delivery.recipients.map(({ address, status, reply }) => ({
      address,
      status,
      ...(reply === undefined ? {} : { reply }),
    })),
    ...(delivery.lastReply === undefined ? {} : { reply: delivery.lastReply }),
    createdAt: delivery.createdAt.toISOString(),
    ...(delivery.nextAttemptAt === undefined ? {} : { nextAttemptAt: delivery.nextAttemptAt.toISOString() }),
    ...(delivery.finishedAt === undefined ? {} : { finishedAt: delivery.finishedAt.toISOString() }),
  };
}
