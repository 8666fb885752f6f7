import { docxType, pdfType, xmlType, zipType } from '../../shared/storage/media-types.ts';
import { accountExamples } from './example-values/account.ts';
import { adminExamples, adminRequestExamples } from './example-values/admin.ts';
import { batchExamples, batchSummary, counts } from './example-values/batches.ts';
import { checksum, type Examples } from './example-values/common.ts';
import { documentExamples, job } from './example-values/documents.ts';
import { invoiceExamples } from './example-values/invoices.ts';
import { data, template, templateExamples, words } from './example-values/templates.ts';
import { webhook, webhookExamples } from './example-values/webhooks.ts';

/** Examples of JSON responses, by the name of their schema, or by operation and status. */
export const resourceExamples: Examples = {
  ...templateExamples,
  ...documentExamples,
  ...batchExamples,
  ...accountExamples,
  ...webhookExamples,
  ...invoiceExamples,
  ...adminExamples,
};

/** Examples of requests, by the name of their schema. */
export const requestExamples: Examples = {
  TemplateUpload: { name: 'invoice.docx', file: 'the bytes of the file' },
  TemplateValidation: { file: 'the bytes of the file', sampleData: JSON.stringify(data) },
  TemplateChanges: { name: 'invoice-2027.docx' },
  AssetUpload: { name: 'logo.png', file: 'the bytes of the file' },
  DictionaryRequest: { words },
  ReviewStepRequest: { comment: 'New payment terms.' },
  ReviewCommentRequest: { comment: 'The total is missing on page 2.' },
  ReviewOverrideRequest: { reason: 'Wrong bank account on all invoices of today.' },
  InvoiceUpload: { file: 'the bytes of the file' },
  FontUpload: { name: 'Corporate font, bold', file: 'the bytes of the file' },
  GenerateRequest: { data, output: { format: 'pdf', filename: 'invoice-2026-114.pdf', locale: 'en-GB' } },
  PreviewRequest: { templateId: template.id, data, preview: { format: 'pdf', pages: 3 } },
  PreviewForm: { file: 'the bytes of the file', request: JSON.stringify({ data, preview: { format: 'png' } }) },
  BatchRequest: {
    items: [{ data }, { data: { customer: { name: 'Alan Turing' }, items: [] }, output: { filename: 'turing' } }],
    output: { format: 'pdf', filename: 'invoice-{customer.name}' },
    bundle: 'zip',
  },
  DeliveryRequest: { documentId: job.id, to: ['ada@example.com'], cc: ['accounts@example.com'] },
  WebhookRequest: { url: webhook.url, events: webhook.events, description: 'Archive of invoices' },
  WebhookChanges: { status: 'disabled' },
  ...adminRequestExamples,
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
  [xmlType]: bytes,
  [zipType]: bytes,
  'image/png': bytes,
  'image/jpeg': bytes,
  'image/gif': bytes,
  'image/svg+xml': bytes,
  'application/octet-stream': bytes,
  'text/csv': `row,file,status,checksum,size,pages,error,jobId\n1,invoice-1.pdf,succeeded,${checksum},48213,2,,${job.id}\n`,
  'text/event-stream': `event: progress\ndata: ${JSON.stringify({ ...batchSummary, status: 'running', counts })}\n\n`,
};
