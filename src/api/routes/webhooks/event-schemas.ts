import { type RouteConfig, z } from '@hono/zod-openapi';
import { type eventTypes, testEventType } from '../../../shared/domain/webhooks/event-outbox.ts';
import { batchStatusSchema } from '../batches/batch-resource.ts';
import { errorSchema } from '../common-schemas.ts';
import { formatSchema, jobStatusSchema } from '../jobs/job-resource.ts';

const count = z.number().int();
const time = (description: string) => z.iso.datetime().openapi({ description });

const documentFields = {
  id: z.string().openapi({ description: 'Id of the document and its job.' }),
  status: jobStatusSchema,
  templateId: z.string().openapi({ description: 'Id of the template.' }),
  templateVersion: count.optional().openapi({ description: 'Version of the template.' }),
  format: formatSchema,
  test: z.literal(true).optional().openapi({ description: 'Whether a test key requested it.' }),
  createdAt: time('When the request was accepted.'),
  finishedAt: time('When the document ended.'),
};

function event<Type extends string, Data extends z.ZodObject>(type: Type, name: string, data: Data) {
  const body = {
    type: z.literal(type).openapi({ description: 'The kind of the event.' }),
    timestamp: time('When it happened.'),
    data: data.openapi(`${name}Data`),
  };
  return z.object(body).openapi(`${name}Event`);
}

const documentSucceeded = z.object({
  ...documentFields,
  size: count.openapi({ description: 'Size of the file in bytes.' }),
  pages: count.optional().openapi({ description: 'Pages of a PDF.' }),
  expiresAt: time('Until when the job has the file. Absent when it has none.').optional(),
});

const documentFailed = z.object({ ...documentFields, error: errorSchema });

const batchCompleted = z.object({
  id: z.string().openapi({ description: 'Id of the batch.' }),
  status: batchStatusSchema,
  templateId: z.string().openapi({ description: 'Id of the template.' }),
  templateVersion: count.openapi({ description: 'Version of the template.' }),
  format: formatSchema,
  bundle: z.enum(['zip', 'pdf', 'none']).openapi({ description: 'How the files can be downloaded.' }),
  rows: count.openapi({ description: 'Number of rows.' }),
  counts: z
    .object({ succeeded: count, failed: count, cancelled: count })
    .openapi({ description: 'Number of rows by the status of their documents.' }),
  error: z.string().optional().openapi({ description: 'Why the batch failed.' }),
  createdAt: time('When the batch was accepted.'),
  finishedAt: time('When it ended.'),
  expiresAt: time('Until when its files can be downloaded.').optional(),
});

const emailFailed = z.object({
  id: z.string().openapi({ description: 'Id of the e-mail delivery.' }),
  documentId: z.string().openapi({ description: 'Id of the document.' }),
  status: z.enum(['partial', 'failed', 'unknown']).openapi({ description: 'Whether some recipients have it.' }),
  attempts: count.openapi({ description: 'Number of attempts.' }),
  recipients: z
    .object({ sent: count, failed: count, unknown: count })
    .openapi({ description: 'Number of recipients by outcome.' }),
  reply: z.string().optional().openapi({ description: 'The last reply of the mail server.' }),
  createdAt: time('When the delivery was created.'),
  finishedAt: time('When it ended.'),
});

const quotaWarning = z.object({
  threshold: count.openapi({ description: 'Percent of the subscription: 80 or 100.' }),
  allocated: count.openapi({ description: 'Documents of the month.' }),
  used: count.openapi({ description: 'Documents used.' }),
  periodStart: time('Start of the month.'),
  periodEnd: time('End of the month: the start of the next one.'),
});

const reviewed = z.object({
  templateId: z.string().openapi({ description: 'Id of the template.' }),
  templateName: z.string().openapi({ description: 'Name of the template.' }),
  version: count.openapi({ description: 'The version.' }),
  keyId: z.string().openapi({ description: 'Id of the API key of the request.' }),
  keyName: z.string().optional().openapi({ description: 'Its name.' }),
});

const overridden = reviewed.extend({
  reason: z.string().openapi({ description: 'Why it was made live without approval.' }),
});

const webhookTest = z.object({
  webhookId: z.string().openapi({ description: 'Id of the webhook.' }),
  message: z.string().openapi({ description: 'A sentence.' }),
});

/** The body of an event by its type. */
export const eventSchemas = {
  'document.succeeded': event('document.succeeded', 'DocumentSucceeded', documentSucceeded),
  'document.failed': event('document.failed', 'DocumentFailed', documentFailed),
  'batch.completed': event('batch.completed', 'BatchCompleted', batchCompleted),
  'email.failed': event('email.failed', 'EmailFailed', emailFailed),
  'quota.warning': event('quota.warning', 'QuotaWarning', quotaWarning),
  'template.submitted': event('template.submitted', 'TemplateSubmitted', reviewed),
  'template.approved': event('template.approved', 'TemplateApproved', reviewed),
  'template.refused': event('template.refused', 'TemplateRefused', reviewed),
  'template.overridden': event('template.overridden', 'TemplateOverridden', overridden),
  [testEventType]: event(testEventType, 'WebhookTest', webhookTest),
} satisfies Record<(typeof eventTypes)[number] | typeof testEventType, z.ZodObject>;

const when: Readonly<Record<keyof typeof eventSchemas, string>> = {
  'document.succeeded': 'A document was produced.',
  'document.failed': 'A document failed, and its credit was refunded.',
  'batch.completed': 'A batch completed or failed.',
  'email.failed': 'The e-mail of a document did not reach every recipient.',
  'quota.warning': '80 % or 100 % of the subscription of the month is used.',
  'template.submitted': 'A version of a template waits for approval.',
  'template.approved': 'A version of a template was approved and is live.',
  'template.refused': 'A version of a template was refused.',
  'template.overridden': 'A version of a template was made live without approval.',
  'webhook.test': 'A test was requested.',
};

/** The requests that the service sends to webhooks, for the `webhooks` of the OpenAPI document. */
export const webhookRequests: readonly RouteConfig[] = Object.entries(eventSchemas).map(([type, schema]) => ({
  method: 'post',
  path: type,
  operationId: `receive${type.replaceAll(/(?:^|\.)(\w)/g, (_found, letter: string) => letter.toUpperCase())}`,
  summary: when[type as keyof typeof eventSchemas],
  tags: ['Webhooks'],
  request: {
    headers: z.object({
      'webhook-id': z.string().openapi({ description: 'Id of the event, the same for each attempt.' }),
      'webhook-timestamp': z.string().openapi({ description: 'Time of the attempt, in seconds since 1970.' }),
      'webhook-signature': z.string().openapi({ description: 'Signatures, as Standard Webhooks 1.0 defines.' }),
    }),
    body: { required: true, content: { 'application/json': { schema } } },
  },
  responses: { 204: { description: 'Any status of 2xx says that the event has arrived.' } },
}));
