import { docxType, pdfType, zipType } from '../../shared/storage/media-types.ts';
import { exampleId } from '../routes/common-schemas.ts';

const checksum = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const createdAt = '2026-11-20T09:30:00.000Z';
const startedAt = '2026-11-20T09:30:01.000Z';
const finishedAt = '2026-11-20T09:30:02.000Z';
const expiresAt = '2026-11-27T09:30:02.000Z';

const data = { customer: { name: 'Ada Lovelace' }, items: [{ name: 'Consulting', amount: 1_200 }] };
const dataSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    customer: { type: 'object', properties: { name: { type: 'string' } } },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, amount: {} } } },
  },
};

const template = {
  id: exampleId('tpl'),
  name: 'invoice.docx',
  version: 1,
  size: 18_204,
  checksum,
  tags: ['customer.name', 'items', 'items.amount', 'items.name'],
  createdAt,
  updatedAt: createdAt,
};
const fonts = [{ name: 'Calibri', status: 'substituted', substitute: 'Carlito' }];
const accessibility = [
  {
    code: 'alternative_text_missing',
    message: 'A picture has no alternative text. Describe it, or mark it as decorative. The first: "Picture 1".',
    count: 2,
  },
];
const warnings = [{ code: 'font_missing', message: 'The font Futura is not installed', part: 'body' }];

const job = {
  id: exampleId('doc'),
  status: 'succeeded',
  templateId: template.id,
  templateVersion: 1,
  format: 'pdf',
  filename: 'invoice-2026-114.pdf',
  size: 48_213,
  pages: 2,
  engine: { name: 'LibreOffice', version: '25.2.3.2' },
  warnings: [],
  conformance: { passed: true, standards: [{ standard: 'PDF/A-2b', passed: true, checked: 46, failures: [] }] },
  timings: { queueMs: 3, renderMs: 21, convertMs: 180, totalMs: 214 },
  createdAt,
  startedAt,
  finishedAt,
  expiresAt,
};

const receipt = {
  id: job.id,
  template: { id: template.id, version: 1, sha256: checksum },
  data: { sha256: checksum },
  result: { format: 'pdf', filename: job.filename, size: 48_213, sha256: checksum, pages: 2, warnings: 0 },
  options: { locale: 'en-GB' },
  documentDate: createdAt,
  engine: job.engine,
  service: { version: '0.1.0', node: '24.20.0' },
  acceptedAt: createdAt,
  finishedAt,
};

const batchSummary = {
  id: exampleId('bat'),
  status: 'completed',
  templateId: template.id,
  templateVersion: 1,
  format: 'pdf',
  bundle: 'zip',
  rows: 2,
  files: [{ name: 'invoice.zip', size: 96_426, checksum, firstRow: 1, lastRow: 2 }],
  createdAt,
  startedAt,
  finishedAt,
  expiresAt,
};
const counts = { queued: 0, running: 0, succeeded: 2, failed: 0, cancelled: 0 };
const batch = { ...batchSummary, counts, warnings: [] };
const acceptedBatch = {
  ...batch,
  status: 'accepted',
  files: [],
  counts: { ...counts, queued: 2, succeeded: 0 },
  startedAt: undefined,
  finishedAt: undefined,
  expiresAt: undefined,
};

const asset = {
  id: exampleId('ast'),
  name: 'logo.png',
  type: 'png',
  size: 18_204,
  checksum,
  width: 640,
  height: 480,
  createdAt,
  updatedAt: createdAt,
};

const amounts = { docs: 1_000, templates: 50 };
const balance = { subscriptions: amounts, credits: { docs: 0, templates: 0 }, total: amounts };
const usage = { documents: 12, pages: 24, bytes: 578_556, failures: 1, cancelled: 0 };

const delivery = {
  id: exampleId('dlv'),
  documentId: job.id,
  status: 'sent',
  attempts: 1,
  recipients: [{ address: 'ada@example.com', status: 'sent', reply: '250 2.0.0 Ok' }],
  createdAt,
  finishedAt,
};

const webhook = {
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

/** Examples of JSON responses, by the name of their schema, or by operation and status. */
export const resourceExamples: Readonly<Record<string, unknown>> = {
  TemplateMetadata: template,
  TemplateDetail: { ...template, fonts, accessibility },
  UploadedTemplate: { ...template, fonts, accessibility, warnings },
  ValidTemplate: {
    valid: true,
    tags: template.tags,
    fonts,
    accessibility,
    warnings,
    schema: dataSchema,
    example: data,
  },
  TemplateSchema: { schema: dataSchema, example: data },
  TemplateStatistics: {
    templateId: template.id,
    lastDocumentAt: createdAt,
    documents: 240,
    failures: 3,
    withWarnings: 12,
    p95TotalMs: 412,
    p95ProductionMs: 380,
    complete: true,
  },
  TemplateVersion: { version: 1, size: 18_204, checksum, tags: template.tags, createdAt, current: true },
  Asset: asset,
  AccountFont: {
    id: exampleId('fnt'),
    scope: 'account',
    name: 'Corporate font, bold',
    family: 'Acme Sans',
    style: 'bold',
    fullName: 'Acme Sans Bold',
    version: 'Version 1.004',
    format: 'truetype',
    embedding: 'installable',
    glyphs: 812,
    characters: 640,
    size: 148_204,
    checksum,
    createdAt,
    updatedAt: createdAt,
  },
  Font: {
    name: 'Noto Sans Thai',
    scope: 'installed',
    styles: ['Bold', 'Regular'],
    scripts: ['Thai'],
    version: '2',
    workers: 3,
    complete: true,
  },
  Job: job,
  TimelineEntry: { step: 'queue', status: 'succeeded', startedAt: createdAt, finishedAt: startedAt },
  JobRequest: {
    templateId: template.id,
    templateVersion: 1,
    output: { format: 'pdf', filename: 'invoice-2026-114.pdf', locale: 'en-GB' },
    dataSha256: checksum,
    data: JSON.stringify(data),
  },
  SignedReceipt: { receipt, signature: 'eyJhbGciOiJFZERTQSJ9.eyJpZCI6ImRvY18wMSJ9.c2lnbmF0dXJl' },
  'generateDocument 202': plain({
    ...job,
    status: 'queued',
    size: undefined,
    pages: undefined,
    engine: undefined,
    conformance: undefined,
    timings: undefined,
    startedAt: undefined,
    finishedAt: undefined,
    expiresAt: undefined,
  }),
  Batch: batch,
  'createBatch 202': plain(acceptedBatch),
  'retryBatch 202': plain({ ...acceptedBatch, status: 'running', startedAt }),
  'cancelBatch 200': { ...batch, status: 'cancelled', counts: { ...counts, succeeded: 1, cancelled: 1 } },
  BatchSummary: batchSummary,
  BatchRow: { row: 1, jobId: job.id, status: 'succeeded', filename: 'invoice-1.pdf', size: 48_213 },
  BatchManifestEntry: {
    row: 1,
    file: 'invoice-1.pdf',
    status: 'succeeded',
    checksum,
    size: 48_213,
    pages: 2,
    jobId: job.id,
  },
  BatchDryRun: { rows: 2, cost: 2, remaining: 988, fits: true, invalidRowCount: 0, invalidRows: [] },
  AccountKey: {
    id: exampleId('key'),
    name: 'Web shop',
    prefix: 'dts_4kq7w2zp',
    kind: 'live',
    status: 'active',
    scopes: ['templates:read', 'generate'],
    hasAllScopes: false,
    budget: { docsPerMonth: 500, remaining: 488 },
    createdAt,
    lastUsedAt: finishedAt,
  },
  Quotas: { allocated: balance, remaining: balance },
  Usage: {
    from: '2026-11-01',
    to: '2026-11-30',
    groupBy: 'day',
    totals: usage,
    groups: [{ day: '2026-11-20', ...usage }],
    hasMore: false,
  },
  Delivery: delivery,
  'resendDelivery 202': plain({
    ...delivery,
    status: 'pending',
    finishedAt: undefined,
    nextAttemptAt: finishedAt,
    recipients: [{ address: 'ada@example.com', status: 'pending' }],
  }),
  Webhook: webhook,
  'createWebhook 201': { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=' },
  'rotateWebhookSecret 200': {
    ...webhook,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwC3Iw2Gd0yXc=',
    previousSecretExpiresAt: '2026-11-21T09:30:00.000Z',
  },
  WebhookDelivery: webhookDelivery,
};

/** Examples of requests, by the name of their schema. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  TemplateUpload: { name: 'invoice.docx', file: 'the bytes of the file' },
  TemplateValidation: { file: 'the bytes of the file', sampleData: JSON.stringify(data) },
  TemplateChanges: { name: 'invoice-2027.docx' },
  AssetUpload: { name: 'logo.png', file: 'the bytes of the file' },
  FontUpload: { name: 'Corporate font, bold', file: 'the bytes of the file' },
  GenerateRequest: { data, output: { format: 'pdf', filename: 'invoice-2026-114.pdf', locale: 'en-GB' } },
  PreviewRequest: { templateId: template.id, data, preview: { format: 'pdf', pages: 3 } },
  PreviewForm: { file: 'the bytes of the file', request: JSON.stringify({ data, preview: { format: 'png' } }) },
  BatchRequest: {
    items: [{ data }, { data: { customer: { name: 'Alan Turing' }, items: [] }, output: { filename: 'turing' } }],
    output: { format: 'pdf', filename: 'invoice-{customer.name}' },
    bundle: 'zip',
  },
  WebhookRequest: { url: webhook.url, events: webhook.events, description: 'Archive of invoices' },
  WebhookChanges: { status: 'disabled' },
};

/** Examples of requests that are neither JSON nor a form, by their type. */
export const textExamples: Readonly<Record<string, string>> = {
  'application/x-ndjson': '{"customer":{"name":"Ada Lovelace"}}\n{"customer":{"name":"Alan Turing"}}\n',
  'text/csv': 'customer.name,items[0].name\nAda Lovelace,Consulting\nAlan Turing,Consulting\n',
};

const bytes = 'the bytes of the file';

/** Examples of responses that are not JSON, by their type. */
export const binaryExamples: Readonly<Record<string, string>> = {
  [docxType]: bytes,
  [pdfType]: bytes,
  [zipType]: bytes,
  'image/png': bytes,
  'image/jpeg': bytes,
  'image/gif': bytes,
  'image/svg+xml': bytes,
  'text/csv': `row,file,status,checksum,size,pages,error,jobId\n1,invoice-1.pdf,succeeded,${checksum},48213,2,,${job.id}\n`,
  'text/event-stream': `event: progress\ndata: ${JSON.stringify({ ...batchSummary, status: 'running', counts })}\n\n`,
};

/** Without fields that are undefined, as in JSON. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
