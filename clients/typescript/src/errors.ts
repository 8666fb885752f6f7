/** An entry of an error's `details`: an invalid field of the request, or an error in a template or its data. */
export interface ErrorDetail {
  readonly type: string;
  readonly message: string;
  /** The invalid field of the request. */
  readonly path?: string;
  /** The tag of the template, its part of the document (such as body or header 1), and the text around it. */
  readonly tag?: string;
  readonly part?: string;
  readonly context?: string;
  readonly hint?: string;
  readonly name?: string;
  readonly jobId?: string;
  /** The position in the request body, in bytes from 0. */
  readonly offset?: number;
  readonly [field: string]: unknown;
}

/** Where an error comes from: the id to quote, and the key to retry the same request. */
export interface ErrorOrigin {
  /** The `X-Request-Id` of the last response; quote it when you report a problem. */
  readonly requestId?: string | undefined;
  /** Send the request again with this key to get the result of the first one without a second charge. */
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** The base class of all errors of this client. */
export class DocmillError extends Error {
  override readonly name: string = 'DocmillError';
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { requestId, idempotencyKey, cause }: ErrorOrigin = {}) {
    super(message, { cause });
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }
}

/** No response, or only part of one, arrived. The service may or may not have done the work. */
export class ConnectionError extends DocmillError {
  override readonly name: string = 'ConnectionError';
}

/** An attempt took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** A webhook with an invalid signature or timestamp. Respond with 400 and do nothing else. */
export class WebhookVerificationError extends DocmillError {
  override readonly name = 'WebhookVerificationError';
}

export interface ErrorAnswer extends ErrorOrigin {
  readonly status: number;
  /** The `Error-Code` header, such as `quota_exceeded`. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly documentId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The service answered with a 4xx or 5xx status. */
export class ApiError extends DocmillError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  /** The document of the failed request; its job is `docmill.jobs.get(documentId)`. */
  readonly documentId: string | undefined;
  /** How long to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, answer: ErrorAnswer) {
    super(message, answer);
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details;
    this.documentId = answer.documentId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** 400: the request is malformed, or one of its fields is invalid. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError';
}

/** 400: the data does not fit the template. */
export class DataError extends InvalidRequestError {
  override readonly name = 'DataError';

  /** The paths of the invalid values, such as `data.customer.name`. */
  get paths(): readonly string[] {
    return this.details.flatMap(({ path }) => path ?? []);
  }
}

/**
 * 400: the template has errors, or its documents cannot be made. The first error is in `tag`, `part`, `context` and
 * `hint`; `details` lists all.
 */
export class TemplateError extends InvalidRequestError {
  override readonly name = 'TemplateError';

  get tag(): string | undefined {
    return this.#first('tag');
  }
  get part(): string | undefined {
    return this.#first('part');
  }
  get context(): string | undefined {
    return this.#first('context');
  }
  get hint(): string | undefined {
    return this.#first('hint');
  }

  #first(field: 'tag' | 'part' | 'context' | 'hint'): string | undefined {
    const [detail] = this.details;
    return detail?.[field];
  }
}

/** 401: the key is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 402: the quota of the account or the budget of the key is used up. */
export class QuotaError extends ApiError {
  override readonly name = 'QuotaError';
}

/** 403: the key lacks a scope, or the account is suspended. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: the resource does not exist in this account. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409 and 412: the request conflicts with the state of the resource, or `ifMatch` does not match it. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service failed or is overloaded. After 504 the job of `documentId` continues. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError';
}

const templateCodes: ReadonlySet<string> = new Set([
  'template_invalid',
  'missing_glyph',
  'render_limit',
  'conversion_failed',
  'conversion_timeout',
  'document_quarantined',
  'template_suspended',
]);

const classes: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  402: QuotaError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  429: RateLimitError,
};

/** The error for a response, in the class of its status and code. */
export function createApiError(message: string, answer: ErrorAnswer): ApiError {
  return new (classes[answer.status] ?? (answer.status >= 500 ? ServiceError : classOf(answer.code)))(message, answer);
}

function classOf(code: string): typeof ApiError {
  if (code === 'data_invalid') return DataError;
  return templateCodes.has(code) ? TemplateError : InvalidRequestError;
}
