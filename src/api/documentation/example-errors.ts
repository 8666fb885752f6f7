import { exampleId } from '../routes/common-schemas.ts';

const error = (status: number, message: string, ...details: object[]) => ({
  error: { status, message, ...(details.length > 0 && { details }) },
});
const field = (path: string, message: string) => error(400, `${path}: ${message}`, { type: 'Field', path, message });

const common: Readonly<Record<string, object>> = {
  400: error(400, 'Invalid Idempotency-Key header', {
    type: 'Field',
    path: 'Idempotency-Key',
    message: 'must be 1 to 255 printable ASCII characters and must not begin or end with a space',
  }),
  401: error(401, 'Missing or invalid API key'),
  402: error(402, 'The document quota is used up'),
  403: error(403, 'This API key lacks the scope generate. Use a key that has it.'),
  404: error(404, 'Not found'),
  405: error(405, 'This path does not support the method'),
  409: error(409, 'The Idempotency-Key was used with another request'),
  412: error(412, 'The resource was changed since it was read'),
  416: error(416, 'The range begins after the end of the file'),
  415: error(415, 'The Content-Encoding of the request is not supported'),
  429: error(429, 'Rate limit exceeded: 100 requests in 60 seconds'),
  500: error(500, 'Internal server error. Report the request id req_01hx5s3k2v9m8q7r6t5w4y3z2a.'),
  503: error(503, 'The queue is full. Try again shortly.'),
  504: error(504, 'The document is not ready yet. Fetch it later from its job.', {
    type: 'Message',
    message: 'The document is still being produced',
    jobId: exampleId('doc'),
  }),
};

const brokenTemplate = error(400, 'Template validation errors', {
  type: 'Message',
  message: 'The tag is not closed',
  tag: 'customer.name',
  part: 'body',
  context: 'Dear {customer.name, thank you',
  hint: 'Add a closing brace',
});
const noDocxName = field('name', 'must end with .docx');
const noDate = field('from', 'must be a date such as 2026-11-30');
const noLimit = field('limit', 'must be a whole number');
const noVersion = field('version', 'must be a whole number');
const noMatch = field('If-Match', 'must be an entity tag from an ETag header of this service, or *');

const brokenInvoice = error(
  400,
  'The invoice is not valid. BR-CO-15: BT-112 (totals.withVat) is 2.00, but the other amounts give 1.19.',
  {
    type: 'Rule',
    rule: 'BR-CO-15',
    businessTerms: ['BT-112'],
    location: 'totals.withVat',
    message: 'BT-112 (totals.withVat) is 2.00, but the other amounts give 1.19.',
    expressions: { 'BT-112': 'total' },
  },
);

/** Errors that differ from the common ones. */
const own: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  listTemplates: { 400: noLimit },
  getTemplateStatistics: { 400: field('ids', 'must be ids of at most 50 templates, separated by commas') },
  listTemplateVersions: { 400: noLimit },
  listAssets: { 400: noLimit },
  listJobs: { 400: noLimit },
  listBatches: { 400: noLimit },
  listBatchItems: { 400: noLimit },
  listDeliveries: { 400: noLimit },
  listWebhookDeliveries: { 400: noLimit },
  getTemplateSchema: { 400: noVersion },
  getTemplateThumbnail: {
    400: noVersion,
    404: error(404, 'There is no thumbnail of this version: LibreOffice cannot open the document'),
  },
  downloadTemplateVersion: { 400: noVersion },
  promoteTemplateVersion: { 400: noVersion },
  getReview: { 400: noVersion },
  submitTemplateVersion: { 400: noVersion, 409: error(409, 'Version 2 is in review already.') },
  commentTemplateVersion: { 400: field('comment', 'is missing') },
  approveTemplateVersion: {
    400: noVersion,
    409: error(409, 'Version 2 is a draft. Submit it for review first.'),
  },
  refuseTemplateVersion: { 400: field('comment', 'is missing'), 409: error(409, 'Version 2 is approved already.') },
  overrideTemplateVersion: { 400: field('reason', 'is missing'), 409: error(409, 'Version 2 is approved already.') },
  uploadTemplate: { 400: brokenTemplate, 402: error(402, 'The template quota is used up') },
  putTemplate: {
    400: brokenTemplate,
    402: error(402, 'The template quota is used up'),
    409: error(409, `Several templates have the name invoice.docx: ${exampleId('tpl')} and others.`),
  },
  validateTemplate: { 400: brokenTemplate },
  replaceTemplateContent: { 400: brokenTemplate },
  updateTemplate: { 400: noDocxName },
  deleteTemplate: { 400: noMatch },
  uploadAsset: { 400: field('file', 'is larger than 5 MB') },
  uploadFont: {
    400: field('file', 'is a font whose licence forbids embedding it in documents (restricted in fsType)'),
    402: error(402, 'The account has 50 fonts, which is the limit. Delete one first.'),
  },
  validateInvoice: { 400: field('file', 'The PDF has no attached invoice, such as factur-x.xml.') },
  putDictionary: {
    400: field('words.de-XYZ-1', 'is not a locale: write one such as en, de or de-AT'),
    409: error(409, 'The dictionary was replaced too often in a short time. Try again in a few minutes.'),
  },
  deleteDictionary: { 400: noMatch },
  generateDocument: { 400: brokenInvoice },
  startJob: { 400: field('output.format', 'must be docx, pdf or xml') },
  previewTemplate: {
    400: brokenTemplate,
    504: error(504, 'The preview was not ready in time. Try again later.'),
  },
  quoteBatch: { 400: error(400, 'The batch has no rows') },
  createBatch: { 400: error(400, 'The batch has no rows') },
  getBatchContent: { 400: field('volume', 'must be a whole number') },
  createDelivery: {
    400: field('to.0', 'must be a plain e-mail address such as name@example.com'),
    409: error(409, 'This document is not finished yet. Try again when its job has ended.'),
  },
  createWebhook: { 400: field('url', 'must begin with https://') },
  updateWebhook: { 400: field('events', 'must name an event') },
  listKeys: { 400: noLimit },
  getUsage: { 400: noDate },
};

/** Examples of the errors of an operation, by status. */
export function exampleErrors(operationId: string): Readonly<Record<string, object>> {
  return { ...common, ...own[operationId] };
}
