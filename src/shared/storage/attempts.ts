import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const maxAttempts = 7;
const firstPauseMs = 100;
const longestPauseMs = 1_000;

/** One try. Its requests end when it is given up, so that none keeps a connection. */
export interface Attempt {
  readonly signal: AbortSignal;
  /** For requests that are answered late: how long nothing may move on their connection. */
  readonly silenceMs?: number | undefined;
}

/**
 * What a client makes its requests with: a connection on which nothing moves for `silenceMs` is given up, and all of them
 * with `signal`. Each attempt has a client of its own: with AsyncLocalStorage every promise of the process would cost more.
 */
export function createTransport(
  isSecure: boolean,
  silenceMs: number,
  signal: AbortSignal | undefined,
): Pick<typeof http, 'request'> {
  const { request } = isSecure ? https : http;
  const send = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const outgoing = request({ ...options, ...(signal !== undefined && { signal }) }, onResponse);
    outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error(`nothing moved for ${silenceMs} ms`)));
    return outgoing;
  };
  return { request: send as typeof http.request };
}

/**
 * Runs `work` until it succeeds, up to seven times within `timeoutMs` in all, as long as `isTransient` says of its error
 * that another try may help. Throws the last error.
 */
export async function attempted<T>(
  timeoutMs: number,
  isTransient: (error: unknown) => boolean,
  work: (attempt: Attempt) => Promise<T>,
  silenceMs?: number,
): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await withinMs(endMs - performance.now(), work, silenceMs);
    } catch (error) {
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random());
      const isLast = attempt === maxAttempts || performance.now() + pauseMs > endMs;
      if (isLast || !isTransient(error)) throw error;
      await delay(pauseMs);
    }
  }
}

/** Runs `work` once; gives it up, with its requests, when it takes longer or fails. */
export async function withinMs<T>(
  timeoutMs: number,
  work: (attempt: Attempt) => Promise<T>,
  silenceMs?: number,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${Math.round(timeoutMs)} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work({ signal: controller.signal, silenceMs }), late]);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
