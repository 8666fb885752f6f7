import { exampleId } from '../../routes/common-schemas.ts';
import { createdAt, type Examples, finishedAt } from './common.ts';
import { job } from './documents.ts';

export const webhook = {
  id: exampleId('whk'),
  kind: 'endpoint',
  url: 'https://example.com/hooks/docmill',
  events: ['document.succeeded', 'document.failed'],
  status: 'enabled',
  createdAt,
  updatedAt: createdAt,
};

const webhookDelivery = {
  id: exampleId('whd'),
  eventId: 'evt_01hx5s3k2v9m8q7r6t5w4y3z2a',
  eventType: 'document.succeeded',
  body: JSON.stringify({ type: 'document.succeeded', timestamp: createdAt, data: { id: job.id, status: 'succeeded' } }),
  status: 'delivered',
  attempts: 1,
  response: { status: 200, body: 'ok' },
  durationMs: 84,
  createdAt,
  finishedAt,
};

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=';

export const webhookExamples: Examples = {
  Webhook: webhook,
  'createWebhook 201': { ...webhook, secret },
  'rotateWebhookSecret 200': {
    ...webhook,
    secret,
    previousSecretExpiresAt: '2026-11-21T09:30:00.000Z',
  },
  WebhookDelivery: webhookDelivery,
};
