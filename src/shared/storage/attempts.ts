import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const maxAttempts = 7;
const firstPauseMs = 100;
const longestPauseMs = 1_000;

interface Attempt {
  readonly signal: AbortSignal;
  readonly silenceMs?: number | undefined;
}

/** The attempt that the code runs in; its requests end when it is given up, so that none keeps a connection. */
const underWay = new AsyncLocalStorage<Attempt>();

/**
 * What the client makes its requests with: a connection on which nothing moves for `silenceMs`, or as long as the attempt
 * allows, is given up.
 */
export function createTransport(isSecure: boolean, usualSilenceMs: number): Pick<typeof http, 'request'> {
  const { request } = isSecure ? https : http;
  const send = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const { signal, silenceMs = usualSilenceMs } = underWay.getStore() ?? {};
    const outgoing = request({ ...options, ...(signal !== undefined && { signal }) }, onResponse);
    outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error(`nothing moved for ${silenceMs} ms`)));
    return outgoing;
  };
  return { request: send as typeof http.request };
}

/**
 * Runs `work` until it succeeds, up to seven times within `timeoutMs` in all, as long as `isTransient` says of its error
 * that another try may help. Throws the last error. `silenceMs` is for requests that are answered late.
 */
export async function attempted<T>(
  timeoutMs: number,
  isTransient: (error: unknown) => boolean,
  work: () => Promise<T>,
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
export async function withinMs<T>(timeoutMs: number, work: () => Promise<T>, silenceMs?: number): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${Math.round(timeoutMs)} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([underWay.run({ signal: controller.signal, silenceMs }, work), late]);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
