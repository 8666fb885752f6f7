import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError, type ErrorDetail } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { acceptedEncodings } from './decode-body.ts';

/** The body of every error response. */
export interface Problem {
  readonly error: { readonly status: number; readonly message: string; readonly details?: readonly ErrorDetail[] };
}

export function toProblem({ status, message, details }: Pick<AppError, 'status' | 'message' | 'details'>): Problem {
  return { error: { status, message, ...(details === undefined || details.length === 0 ? {} : { details }) } };
}

/** Upload, upload by name, and re-upload of a template: their clients know only entries of type `Message`. */
const uploadRequest = /^(?:(?:POST|PUT) \/v1\/templates|PUT \/v1\/templates\/[^/]+\/content)$/;

function asMessage(detail: ErrorDetail): ErrorDetail {
  if (detail.type !== 'Field') return detail;
  const { path, message, ...rest } = detail;
  return { ...rest, type: 'Message', message: `${path}: ${message}` };
}

/** The default for outages that a worker reported, because its reply has no retry time. */
const defaultRetryAfterSeconds = 2;

/** The response for any error. The message of an unknown error is logged but not sent. */
export function toErrorResponse(error: unknown, c: Context<ApiEnv>): Response {
  const known = toAppError(error, c);
  if (known.status >= 500) {
    // Only `internal` is a defect of this code; the others report overload or an outage.
    const isDefect = known.code === 'internal';
    c.get('logger')[isDefect ? 'error' : 'warn']({ err: isDefect ? error : known, code: known.code }, 'request failed');
  }
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8', 'Error-Code': known.code });
  const retryAfterSeconds =
    known.retryAfterSeconds ?? (known.status === 429 || known.status === 503 ? defaultRetryAfterSeconds : undefined);
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  if (known.code === 'unsupported_encoding') headers.set('Accept-Encoding', acceptedEncodings);
  if (known.code === 'unauthorized') headers.set('WWW-Authenticate', 'Bearer');
  for (const [name, value] of c.res.headers) if (!headers.has(name)) headers.set(name, value);
  const isScope = known.code === 'approval_by_author' || known.code === 'insufficient_scope';
  if (isScope && !headers.has('WWW-Authenticate')) headers.set('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  headers.set('Content-Type', 'application/json; charset=utf-8');
  const { status, message } = known;
  const isUpload = uploadRequest.test(`${c.req.method} ${c.req.path}`);
  const details = isUpload ? known.details?.map(asMessage) : known.details;
  return new Response(JSON.stringify(toProblem({ status, message, details })), { status, headers });
}

function toAppError(error: unknown, c: Context<ApiEnv>): AppError {
  if (error instanceof AppError) return error.code === 'internal' ? internal(c, error) : error;
  if (error instanceof HTTPException && error.status < 500) return new AppError('invalid_request', error.message);
  return internal(c, error);
}

function internal(c: Context<ApiEnv>, cause: unknown): AppError {
  return new AppError('internal', `Internal server error. Report the request id ${c.get('trace').requestId}.`, {
    cause,
  });
}
