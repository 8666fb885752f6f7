import { z } from '@hono/zod-openapi';
import type { WebhookDeliveryRecord } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { idParam } from '../common-schemas.ts';

export const webhookDeliveryStatusSchema = z
  .enum(['pending', 'sending', 'delivered', 'failed'])
  .openapi('WebhookDeliveryStatus');

export const webhookDeliveryIdParam = idParam('whd', 'Id of the delivery.', 'deliveryId');

const responseSchema = z
  .object({
    status: z.number().int().openapi({ description: 'HTTP status code.' }),
    body: z.string().openapi({ description: 'At most the first 1,024 characters.' }),
  })
  .openapi('WebhookResponse', { description: 'Response to the last attempt.' });

export const webhookDeliverySchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the delivery.' }),
    eventId: z.string().openapi({ description: 'The `webhook-id` of every attempt.' }),
    eventType: z.string().openapi({ description: 'Type of the event.', example: 'document.succeeded' }),
    body: z.string().openapi({ description: 'The body of every attempt, as it is signed.' }),
    url: z.string().optional().openapi({ description: 'The `callbackUrl`, for `callbacks`.' }),
    status: webhookDeliveryStatusSchema,
    attempts: z.number().int().openapi({ description: 'Attempts so far.' }),
    response: responseSchema.optional(),
    error: z.string().optional().openapi({ description: 'Why the last attempt failed.' }),
    durationMs: z.number().int().optional().openapi({ description: 'Duration of the last attempt.' }),
    createdAt: z.iso.datetime().openapi({ description: 'When the event happened.' }),
    nextAttemptAt: z.iso.datetime().optional().openapi({ description: 'Time of the next attempt.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When the delivery ended.' }),
  })
  .openapi('WebhookDelivery');

export function toWebhookDeliveryResource(delivery: WebhookDeliveryRecord): z.infer<typeof webhookDeliverySchema> {
  const { callbackUrl, response, error, durationMs, nextAttemptAt, finishedAt } = delivery;
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    body: delivery.body,
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
