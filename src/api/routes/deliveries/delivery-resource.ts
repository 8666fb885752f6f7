import { z } from '@hono/zod-openapi';
import type { DeliveryRecord } from '../../../shared/domain/deliveries/find-delivery.ts';

export const deliveryIdParam = z
  .string()
  .openapi({ param: { name: 'id', in: 'path' }, description: 'The `Email-Delivery-Id` of a generated document.' });

export const deliverySchema = z
  .object({
    id: z.string(),
    documentId: z.string(),
    status: z.enum(['pending', 'sending', 'sent', 'partial', 'failed', 'unknown']),
    attempts: z.number().int(),
    recipients: z.array(
      z.object({
        address: z.string(),
        status: z.enum(['pending', 'sent', 'failed', 'deferred', 'unknown']),
        reply: z.string().optional().openapi({ description: 'Reply of the mail server.' }),
      }),
    ),
    reply: z.string().optional(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
  })
  .openapi('Delivery');

export function toDeliveryResource(delivery: DeliveryRecord): z.infer<typeof deliverySchema> {
  return {
    id: delivery.id,
    documentId: delivery.generationId,
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
