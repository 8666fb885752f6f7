export { Docmill, type DocmillOptions, type SendOptions } from './docmill.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
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
export type { CallOptions } from './send-request.ts';
