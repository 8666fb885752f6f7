import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { eventTypes } from '../../../shared/domain/webhooks/event-outbox.ts';
import type { WebhookRecord } from '../../../shared/domain/webhooks/find-webhooks.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { ensureCallbackWebhook, targetUrl } from '../../documents/callback-url.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toWebhookTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import { plainText } from '../../http/plain-text.ts';
import { exampleId, idParam } from '../common-schemas.ts';

export const webhookIdParam = idParam('whk', 'Id of the webhook.');
export const webhookOrCallbacksParam = z.string().openapi({
  param: { name: 'id', in: 'path' },
  pattern: '^(?:whk_[0-9a-z]{26}|callbacks)$',
  example: exampleId('whk'),
  description: 'Id of the webhook, or `callbacks` for the one that signs the `callbackUrl` of single requests.',
});

const eventType = z.enum(eventTypes, `must be one of ${eventTypes.join(', ')}`).openapi('EventType');
const status = z.enum(['enabled', 'disabled']).openapi({ description: 'A disabled webhook gets no events.' });

export const webhookFields = {
  url: targetUrl.openapi({ description: 'An https address.', example: 'https://example.com/hooks/docmill' }),
  events: z
    .array(eventType)
    .min(1, 'must name an event')
    .max(eventTypes.length)
    .refine((events) => new Set(events).size === events.length, 'must name each event once')
    .openapi({ uniqueItems: true, description: 'Events to send.', example: ['document.succeeded', 'document.failed'] }),
  description: plainText(1, 500).openapi({
    description: 'Free text for your own use.',
    example: 'Archive of invoices',
  }),
};

export const webhookSchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the webhook.' }),
    kind: z.enum(['endpoint', 'callbacks']).openapi({ description: '`callbacks` signs the events of `callbackUrl`.' }),
    url: z.string().optional().openapi({ description: 'Where events are sent; none for `callbacks`.' }),
    description: z.string().optional().openapi({ description: 'Free text for your own use.' }),
    events: z.array(eventType).openapi({ description: 'Events to send.' }),
    status,
    disabledReason: z.string().optional().openapi({ description: 'Why the service disabled the webhook.' }),
    failingSince: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'The first failure after the last success; after three days the webhook is disabled.' }),
    secret: z.string().optional().openapi({
      description: 'Signs the events. Shown when it is created, and at any time for `callbacks`.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=',
    }),
    previousSecretExpiresAt: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'When the previous secret stops signing.' }),
    createdAt: z.iso.datetime().openapi({ description: 'When the webhook was created.' }),
    updatedAt: z.iso.datetime().openapi({ description: 'When it was last changed.' }),
  })
  .openapi('Webhook');

/** Pass the decrypted `secret` only for responses that show it. */
export function toWebhookResource(webhook: WebhookRecord, secret?: string): z.infer<typeof webhookSchema> {
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

/**
 * A response that shows a secret, in the form stored for an idempotency key: the secret remains encrypted, as in its
 * row.
 */
export interface StoredWebhookResponse {
  readonly webhook: z.infer<typeof webhookSchema>;
  readonly secret: string;
  readonly etag: string;
}

export function toStoredResponse(webhook: WebhookRecord): StoredWebhookResponse {
  return { webhook: toWebhookResource(webhook), secret: webhook.secret, etag: toWebhookTag(webhook) };
}

export function fromStoredResponse({ webhook, secret }: StoredWebhookResponse, { secrets }: ApiDeps) {
  return { ...webhook, secret: secrets.open(secret, webhook.id) };
}

/** The webhook's id in the path; `callbacks` is an alias for the webhook that signs the account's callbacks. */
export async function resolveWebhookId(c: Context<ApiEnv>, deps: ApiDeps): Promise<string> {
  if (c.req.param('id') !== 'callbacks') return pathId(c);
  return (await ensureCallbackWebhook(deps, c.get('accountId'))).id;
}
