import { z } from '@hono/zod-openapi';
import type { WebhookDeliveryRecord } from '../../../shared/domain/webhooks/webhook-deliveries.ts';

export const webhookDeliveryStatusSchema = z.enum(['pending', 'sending', 'delivered', 'failed']);

export const webhookDeliveryIdParam = z.string().openapi({
  param: { name: 'deliveryId', in: 'path' },
  description: 'Id of the delivery.',
});

export const webhookDeliverySchema = z
  .object({
    id: z.string(),
    eventId: z.string().openapi({ description: 'The `webhook-id` of every attempt.' }),
    eventType: z.string(),
    url: z.string().optional().openapi({ description: 'The `callbackUrl`, for `callbacks`.' }),
    status: webhookDeliveryStatusSchema,
    attempts: z.number().int(),
    response: z
      .object({
        status: z.number().int(),
        body: z.string().openapi({ description: 'At most the first 1,024 characters.' }),
      })
      .optional()
      .openapi({ description: 'Response to the last attempt.' }),
    error: z.string().optional().openapi({ description: 'Why the last attempt failed.' }),
    durationMs: z.number().int().optional(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
  })
  .openapi('WebhookDelivery');

export function toWebhookDeliveryResource(delivery: WebhookDeliveryRecord): z.infer<typeof webhookDeliverySchema> {
  const { callbackUrl, response, error, durationMs, nextAttemptAt, finishedAt } = delivery;
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    ...(callbackUrl !== undefined && { url: callbackUrl }),
    status: delivery.status,
    attempts: delivery.attempts,
    ...(response !== undefined && { response }),
    ...(error !== undefined && { error }),
    ...(durationMs !== undefined && { durationMs }),
    createdAt: delivery.createdAt.toISOString(),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
  };
}
