import { ConnectionError, DocmillError, TimeoutError } from './errors.ts';
import { readError } from './read-error.ts';

/** Options that every call accepts. */
export interface CallOptions {
  /** Aborts the call with the signal's reason, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout of one attempt, in milliseconds; for files, until their first bytes. */
  readonly timeoutMs?: number | undefined;
  /** The number of retries after a failed attempt; 0 disables them. */
  readonly maxRetries?: number | undefined;
  /** Only for POST. By default, each call creates a key and reuses it for its retries. */
  readonly idempotencyKey?: string | undefined;
  /** Sent as the `X-Request-Id` of the request: visible ASCII, without secrets. */
  readonly requestId?: string | undefined;
  /** The entity tag that a change expects; if the state differs, the call throws ConflictError. */
  readonly ifMatch?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestInput extends CallOptions {
  readonly method: string;
  /** The path below the address of the service, without a query. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  /** Whether sending it twice has the effect of sending it once. Default: true. */
  readonly isIdempotent?: boolean | undefined;
  /** Whether a 404 after an attempt whose response was lost means success; used by deletions. */
  readonly isDoneWhenAbsent?: boolean | undefined;
}

/** A body that is reopened for each attempt. */
export interface RequestBody {
  readonly contentType?: string | undefined;
  /** The compression of its bytes. */
  readonly contentEncoding?: 'gzip' | undefined;
  readonly open: () => OpenBody;
}

export interface OpenBody {
  readonly body: NonNullable<RequestInit['body']>;
  /** Whether the first bytes of a stream that cannot be read again were sent, which rules out a retry. */
  readonly hasLeft?: () => boolean;
  /** The error thrown by the source of a stream. */
  readonly sourceError?: () => { readonly error: unknown } | undefined;
}

export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** The pause before the first retry; it doubles with each retry. */
  readonly retryDelayMs: number;
  /** A longer `Retry-After` is reported instead of waited for. */
  readonly maxRetryAfterMs: number;
}

const maxDelayMs = 8_000;
// Timers with a longer delay fire immediately.
const maxTimerMs = 2 ** 31 - 1;
// With these statuses, the service has not begun the work.
const refusedStatuses: ReadonlySet<number> = new Set([429, 503]);
// With these statuses, the work may have been done, so only idempotent requests are retried.
const uncertainStatuses: ReadonlySet<number> = new Set([408, 502, 504]);

/**
 * Sends a request and reads its response with `read`. Reading is part of the attempt: if the connection ends meanwhile,
 * the request is retried with the same idempotency key. Retries lost connections, timeouts, 408, 429, 502, 503, 504 and
 * lost workers, at most `maxRetries` times. Throws ApiError, ConnectionError or TimeoutError, or the reason of
 * `signal`.
 */
export async function sendRequest<T>(
  connection: Connection,
  input: RequestInput,
  read: (response: Response, idempotencyKey: string | undefined) => Promise<T>,
): Promise<T> {
  const { method, signal } = input;
  const idempotencyKey = input.idempotencyKey ?? (method === 'POST' ? newIdempotencyKey() : undefined);
  const maxRetries = input.maxRetries ?? connection.maxRetries;
  let isUncertain = false;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const sent = input.body?.open();
    const timer = startTimer(input.timeoutMs ?? connection.timeoutMs, signal);
    let failure: DocmillError;
    try {
      const response = await connection.fetch(...createRequest(connection, input, sent, idempotencyKey, timer.signal));
      if (response.ok || response.status === 304) return await read(response, idempotencyKey);
      if (isUncertain && response.status === 404 && input.isDoneWhenAbsent === true)
        return await read(response, undefined);
      failure = await readError(response, idempotencyKey);
    } catch (error) {
      signal?.throwIfAborted();
      const source = sent?.sourceError?.();
      if (source !== undefined) throw source.error;
      if (error instanceof DocmillError && !(error instanceof ConnectionError)) throw error;
      failure = timer.hasEnded()
        ? new TimeoutError(`${method} ${input.path} got no complete answer in time`, { idempotencyKey, cause: error })
        : new ConnectionError(`${method} ${input.path} got no complete answer: ${describe(error)}`, {
            idempotencyKey,
            cause: error,
          });
    } finally {
      timer.stop();
    }
    const isRefused = refusedStatuses.has(statusOf(failure));
    isUncertain ||= !isRefused;
    const canRepeat = sent?.hasLeft?.() !== true && (isRefused || isSafeToRepeat(failure, input, idempotencyKey));
    const delayMs = delayBefore(attempt, failure, connection);
    if (attempt >= maxRetries || !canRepeat || delayMs === undefined) throw failure;
    await pause(delayMs, signal);
  }
}

function createRequest(
  { baseUrl, apiKey }: Connection,
  input: RequestInput,
  sent: OpenBody | undefined,
  idempotencyKey: string | undefined,
  signal: AbortSignal,
): [url: string, init: RequestInit] {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}`, ...input.headers };
  if (input.body?.contentType !== undefined) headers['Content-Type'] = input.body.contentType;
  if (input.body?.contentEncoding !== undefined) headers['Content-Encoding'] = input.body.contentEncoding;
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  if (input.requestId !== undefined) headers['X-Request-Id'] = input.requestId;
  if (input.ifMatch !== undefined) headers['If-Match'] = input.ifMatch;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  // A redirect would turn a POST into a GET, or send the key to another address. fetch requires `duplex` for streams.
  const init = {
    method: input.method,
    headers,
    signal,
    redirect: 'manual',
    cache: 'no-store',
    duplex: 'half',
  } as const;
  return [`${baseUrl}${input.path}${search}`, sent === undefined ? init : { ...init, body: sent.body }];
}

function isSafeToRepeat(failure: DocmillError, input: RequestInput, idempotencyKey: string | undefined): boolean {
  const status = statusOf(failure);
  const isLost =
    failure instanceof ConnectionError || uncertainStatuses.has(status) || codeOf(failure) === 'worker_lost';
  if (!isLost) return false;
  if (input.method === 'GET' || idempotencyKey !== undefined) return true;
  // A retry of a completed change with `ifMatch` would fail with 412.
  return input.isIdempotent !== false && input.ifMatch === undefined;
}

function statusOf(failure: DocmillError): number {
  return 'status' in failure ? Number(failure.status) : 0;
}

function codeOf(failure: DocmillError): unknown {
  return 'code' in failure ? failure.code : undefined;
}

/** Undefined if the service asks for a longer pause than the client accepts. */
function delayBefore(attempt: number, failure: DocmillError, connection: Connection): number | undefined {
  const askedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
  // Jitter keeps clients that failed together from retrying together.
  if (typeof askedMs === 'number')
    return askedMs > connection.maxRetryAfterMs ? undefined : askedMs * (1 + Math.random() / 4);
  return Math.min(connection.retryDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + Math.random() / 2);
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end);
        resolve();
      },
      Math.min(delayMs, maxTimerMs),
    );
    signal?.addEventListener('abort', end, { once: true });
  });
}

interface Timer {
  readonly signal: AbortSignal;
  readonly hasEnded: () => boolean;
  readonly stop: () => void;
}

function startTimer(timeoutMs: number, signal: AbortSignal | undefined): Timer {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.min(timeoutMs, maxTimerMs));
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    hasEnded: () => controller.signal.aborted,
    stop: () => clearTimeout(timer),
  };
}

/** `randomUUID` is not available in pages served without HTTPS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** fetch reports "fetch failed" and puts the reason into `cause`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
