/** One entry of `error.details`: `Message` for template and general errors, `Field` for a request field. */
export type ErrorDetail =
  | {
      readonly type: 'Message';
      readonly message: string;
      readonly tag?: string;
      readonly part?: string | undefined;
      readonly context?: string | undefined;
      readonly hint?: string;
      readonly name?: string;
      readonly jobId?: string;
      /** Position in the request body, in bytes from 0. */
      readonly offset?: number;
      readonly font?: string | undefined;
      readonly characters?: readonly { readonly character: string; readonly codePoint: string }[] | undefined;
      readonly paths?: readonly string[] | undefined;
      readonly count?: number | undefined;
    }
  | { readonly type: 'Field'; readonly message: string; readonly path: string; readonly hint?: string }
  /** A rule that an invoice breaks. */
  | {
      readonly type: 'Rule';
      readonly message: string;
      /** Its identifier in the standard, such as `BR-CO-15`. */
      readonly rule: string;
      /** Such as `BT-112`. */
      readonly businessTerms: readonly string[];
      /** The XPath of the element that was checked. */
      readonly location?: string | undefined;
      /** Those of its business terms that the invoice mapping of the template has, with their expressions. */
      readonly expressions?: Readonly<Record<string, string>> | undefined;
    }
  /** A value of an invoice that the pages of its PDF do not show. */
  | {
      readonly type: 'Difference';
      readonly message: string;
      /** One term, such as `BT-112`. */
      readonly businessTerms: readonly string[];
      /** The line of the invoice, from 1. */
      readonly invoiceLine?: number | undefined;
      /** The value of the invoice. */
      readonly expected: string;
      /** What the page shows in its place. */
      readonly found?: string | undefined;
      /** Counted from 1. */
      readonly page?: number | undefined;
      /** In points from the upper left corner of the page. */
      readonly box?:
        | { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
        | undefined;
    };

/** Every public error code, with its HTTP status and whether a retry of the same work may succeed. */
export const errorTable = {
  invalid_request: { status: 400, retry: false },
  template_invalid: { status: 400, retry: false },
  data_invalid: { status: 400, retry: false },
  missing_glyph: { status: 400, retry: false },
  invoice_invalid: { status: 400, retry: false },
  invoice_differs: { status: 400, retry: false },
  render_limit: { status: 400, retry: false },
  conversion_failed: { status: 400, retry: false },
  conversion_timeout: { status: 400, retry: false },
  document_quarantined: { status: 400, retry: false },
  template_suspended: { status: 400, retry: false },
  unauthorized: { status: 401, retry: false },
  quota_exceeded: { status: 402, retry: false },
  account_suspended: { status: 403, retry: false },
  insufficient_scope: { status: 403, retry: false },
  test_key: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  method_not_allowed: { status: 405, retry: false },
  approval_by_author: { status: 403, retry: false },
  version_not_approved: { status: 409, retry: false },
  conflict: { status: 409, retry: false },
  precondition_failed: { status: 412, retry: false },
  unsupported_encoding: { status: 415, retry: false },
  range_not_satisfiable: { status: 416, retry: false },
  rate_limited: { status: 429, retry: false },
  email_limit_exceeded: { status: 429, retry: false },
  internal: { status: 500, retry: true },
  worker_lost: { status: 500, retry: false },
  unavailable: { status: 503, retry: true },
  wait_timeout: { status: 504, retry: false },
} as const satisfies Record<string, { status: number; retry: boolean }>;

export type ErrorCode = keyof typeof errorTable;

export interface AppErrorOptions {
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly cause?: unknown;
  /** Overrides `retry` in the table. */
  readonly retry?: boolean | undefined;
  /** Seconds after which a client may retry; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
}

/** An error with a public message. Clients get any other error as a 500 with a generic message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retry: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retry = options.retry ?? errorTable[code].retry;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The JSON form of an error, in worker replies and in database rows. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: readonly ErrorDetail[] | undefined;
}

export function toErrorRecord(error: unknown): ErrorRecord {
  if (!(error instanceof AppError)) return { code: 'internal', message: 'Internal server error' };
  return error.details === undefined
    ? { code: error.code, message: error.message }
    : { code: error.code, message: error.message, details: error.details };
}

export function fromErrorRecord(record: ErrorRecord): AppError {
  return new AppError(record.code, record.message, { details: record.details });
}
