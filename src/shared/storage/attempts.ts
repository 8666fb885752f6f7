import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const maxAttempts = 7;
const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** One attempt. `signal` aborts its requests when it times out, so that they do not hold connections. */
export interface Attempt {
  readonly signal: AbortSignal;
  /** The idle limit of the connection, for requests with late responses. */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * The transport of a client. Aborts a request whose connection is idle for `idleTimeoutMs`, and all requests on
 * `signal`. Each attempt has its own client, because passing the signal with AsyncLocalStorage would slow down every
 * promise of the process.
 */
export function createTransport(
  isSecure: boolean,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): Pick<typeof http, 'request'> {
  const { request } = isSecure ? https : http;
  const send = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const outgoing = request({ ...options, ...(signal !== undefined && { signal }) }, onResponse);
    outgoing.setTimeout(idleTimeoutMs, () => outgoing.destroy(new Error(`no data for ${idleTimeoutMs} ms`)));
    return outgoing;
  };
  return { request: send as typeof http.request };
}

/**
 * Runs `work` until it succeeds, up to seven times within `timeoutMs` in total, while `isTransient` holds for its
 * error. Throws the last error.
 */
export async function retryTransient<T>(
  timeoutMs: number,
  isTransient: (error: unknown) => boolean,
  work: (attempt: Attempt) => Promise<T>,
  idleTimeoutMs?: number,
): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await withinMs(endMs - performance.now(), work, idleTimeoutMs);
    } catch (error) {
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
      const isLast = attempt === maxAttempts || performance.now() + pauseMs > endMs;
      if (isLast || !isTransient(error)) throw error;
      await delay(pauseMs);
    }
  }
}

/** Runs `work` once. Aborts its requests if it takes longer than `timeoutMs` or fails. */
export async function withinMs<T>(
  timeoutMs: number,
  work: (attempt: Attempt) => Promise<T>,
  idleTimeoutMs?: number,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${Math.round(timeoutMs)} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work({ signal: controller.signal, idleTimeoutMs }), late]);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
