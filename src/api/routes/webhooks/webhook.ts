import { z } from '@hono/zod-openapi';
import { eventTypes } from '../../../shared/domain/webhooks/event-types.ts';
import type { WebhookRecord } from '../../../shared/domain/webhooks/webhook-record.ts';
import { plainText } from '../../http/plain-text.ts';
import { targetUrl } from '../../webhooks/target-url.ts';

export const webhookIdParam = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description: 'Id of the webhook.',
});
export const webhookOrCallbacksParam = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description: 'Id of the webhook, or the word `callbacks` for what signs the `callbackUrl` of single requests.',
});

const eventType = z.enum(eventTypes, `must be one of ${eventTypes.join(', ')}`);

export const webhookFields = {
  url: targetUrl.openapi({ description: 'An https address.', example: 'https://example.com/hooks/docmill' }),
  events: z
    .array(eventType)
    .min(1, 'must name an event')
    .max(eventTypes.length)
    .refine((events) => new Set(events).size === events.length, 'must name each event once')
    .openapi({ description: 'What is told.', example: ['document.succeeded', 'document.failed'] }),
  description: plainText(1, 500).openapi({ description: 'A note of your own.' }),
};

export const webhookSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['endpoint', 'callbacks']),
    url: z.string().optional(),
    description: z.string().optional(),
    events: z.array(eventType),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: z.string().optional(),
    failingSince: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'The first failure after the last success; after three days the webhook is disabled.' }),
    secret: z.string().optional().openapi({
      description: 'Signs what is sent. Shown when it is made, and at any time for `callbacks`.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=',
    }),
    previousSecretExpiresAt: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'Until when the secret before the last rotation signs too.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Webhook');

/** `secret` is the open one, where it is to be shown. */
export function toWebhook(webhook: WebhookRecord, secret?: string): z.infer<typeof webhookSchema> {
  const { url, description, disabledReason, failingSince, previousSecretUntil } = webhook;
  return {
    id: webhook.id,
    kind: webhook.kind,
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    events: [...webhook.events],
    status: webhook.status,
    ...(disabledReason !== undefined && { disabledReason }),
    ...(failingSince !== undefined && { failingSince: failingSince.toISOString() }),
    ...(secret !== undefined && { secret }),
    ...(previousSecretUntil !== undefined && { previousSecretExpiresAt: previousSecretUntil.toISOString() }),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
