export type { BatchFile, BatchInput, BatchOptions, CellFormat } from './batch-body.ts';
export type { Batch, BatchProgress, StartedBatch, WaitOptions } from './batches.ts';
export { Docmill, DocmillAdmin, type DocmillAdminOptions, type DocmillOptions } from './docmill.ts';
export type { Document } from './document.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  DataError,
  DocmillError,
  type ErrorDetail,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServiceError,
  TemplateError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export type { components } from './generated-api.ts';
export type { FileInput, Pages } from './http.ts';
export type { CallOptions } from './send-request.ts';
export type {
  DataOf,
  FilePreviewRequest,
  FoundTemplate,
  GenerateOptions,
  Preview,
  ReplaceOptions,
  SyntaxOptions,
  TaggedTemplate,
  TemplateId,
  TemplateTypes,
  UploadOptions,
  ValidateOptions,
} from './templates.ts';
export { verifyWebhook, type WebhookEvent, type WebhookRequest } from './webhook-signature.ts';
