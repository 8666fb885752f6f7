import { ConnectionError, DocmillError, TimeoutError } from './errors.ts';
import { readError } from './read-error.ts';

/** What every call takes beside its own options. */
export interface CallOptions {
  /** Ends the call with its reason, whatever it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of one attempt, in milliseconds: for files until their first bytes. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated; 0 never repeats. */
  readonly maxRetries?: number | undefined;
  /** Of a POST: by default each call makes its own and keeps it over its attempts. */
  readonly idempotencyKey?: string | undefined;
  /** Becomes the `X-Request-Id` of the request: visible ASCII, nothing secret. */
  readonly requestId?: string | undefined;
  /** The entity tag that a change expects; in another state the call is a ConflictError. */
  readonly ifMatch?: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestInput extends CallOptions {
  readonly method: string;
  /** Path below the address of the service, without a query. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: RequestBody | undefined;
  /** Sending it twice has the effect of sending it once. Default: true. */
  readonly isIdempotent?: boolean | undefined;
  /** A 404 after an attempt whose answer was lost is success: of deletions. */
  readonly isDoneWhenAbsent?: boolean | undefined;
}

/** A body that is opened for each attempt. */
export interface RequestBody {
  readonly contentType?: string | undefined;
  /** How its bytes are compressed. */
  readonly contentEncoding?: 'gzip' | undefined;
  readonly open: () => OpenBody;
}

export interface OpenBody {
  readonly body: NonNullable<RequestInit['body']>;
  /** Of a stream that cannot be read again: whether its first bytes have left, so that the request is not repeated. */
  readonly hasLeft?: () => boolean;
  /** What the source of a stream threw. */
  readonly sourceError?: () => { readonly error: unknown } | undefined;
}

export interface Connection {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** The first pause between two attempts; each further one is twice as long. */
  readonly retryDelayMs: number;
  /** A longer `Retry-After` is reported instead of waited for. */
  readonly maxRetryAfterMs: number;
}

const maxDelayMs = 8_000;
// Timers end at once when they are asked for more.
const maxTimerMs = 2 ** 31 - 1;
// Whoever answers with these has not begun.
const refusedStatuses: ReadonlySet<number> = new Set([429, 503]);
// The work may have been done: of a request that may be sent twice.
const uncertainStatuses: ReadonlySet<number> = new Set([408, 502, 504]);

/**
 * Sends a request and reads its answer with `read`, which is part of the attempt: when the connection ends while it reads, the same
 * request is sent again with the same idempotency key. Repeats after lost connections, timeouts, 408, 429, 502, 503, 504 and lost
 * workers, at most `maxRetries` times. Throws ApiError, ConnectionError or TimeoutError, or the reason of `signal`.
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
  // A redirect would turn a POST into a GET, or take the key to another address. `duplex` is what fetch demands of streams.
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
  // A change with `ifMatch` that was made would answer 412 the second time.
  return input.isIdempotent !== false && input.ifMatch === undefined;
}

function statusOf(failure: DocmillError): number {
  return 'status' in failure ? Number(failure.status) : 0;
}

function codeOf(failure: DocmillError): unknown {
  return 'code' in failure ? failure.code : undefined;
}

/** Undefined when the service asks for a longer pause than the client accepts. */
function delayBefore(attempt: number, failure: DocmillError, connection: Connection): number | undefined {
  const askedMs = 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
  // Jitter, so that clients that failed together do not return together.
  if (typeof askedMs === 'number')
    return askedMs > connection.maxRetryAfterMs ? undefined : askedMs * (1 + Math.random() / 4);
  return Math.min(connection.retryDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + Math.random() / 2);
}

/** Waits; rejects with the reason of the signal when it is aborted. */
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

/** A new key; `randomUUID` is missing in pages that are not served by https. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** fetch reports "fetch failed" and puts the reason into `cause`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
