import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type ErrorCode, errorTable } from '../../shared/errors.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** The admin API of a service, as commands use it. */
export interface RemoteApi {
  /** The JSON of the response. Throws `AppError` for a refusal. */
  get(path: string, query?: Query): Promise<object>;
  send(method: 'POST' | 'PUT', path: string, body?: object): Promise<object>;
  /** A page of a list; `next` is the value of its cursor, null on the last page. */
  page(path: string, query: Query): Promise<{ readonly entries: unknown; readonly next: string | null }>;
}

const timeoutMs = 60_000;
const maxAttempts = 4;
const maxWaitMs = 30_000;

/** Repeats requests that the service could not answer, with the same idempotency key. */
export function createRemoteApi(baseUrl: string, operatorKey: string): RemoteApi {
  const request = async (method: string, path: string, body?: object): Promise<Response> => {
    const headers = {
      Authorization: `Bearer ${operatorKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(method === 'POST' && { 'Idempotency-Key': randomBytes(16).toString('hex') }),
    };
    const init = { method, headers, redirect: 'error' as const, ...(body && { body: JSON.stringify(body) }) };
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((cause: unknown) => {
        if (attempt < maxAttempts) return undefined;
        throw new AppError('unavailable', `The service at ${baseUrl} cannot be reached`, { cause });
      });
      if (response?.ok === true) return response;
      const canRepeat = response === undefined || response.status === 429 || response.status === 503;
      if (response !== undefined && (!canRepeat || attempt === maxAttempts)) throw await toError(response);
      const seconds = Number(response?.headers.get('Retry-After') ?? attempt);
      await delay(Math.min(maxWaitMs, 1_000 * (Number.isFinite(seconds) ? seconds : attempt)));
    }
  };
  const get = (path: string, query: Query = {}): Promise<Response> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return request('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`);
  };
  return {
    get: async (path, query) => (await (await get(path, query)).json()) as object,
    send: async (method, path, body) => (await (await request(method, path, body)).json()) as object,
    async page(path, query) {
      const response = await get(path, query);
      const address = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
      const cursor = address === undefined ? null : new URL(address, baseUrl).searchParams.get('cursor');
      const next = cursor === null ? null : Buffer.from(cursor, 'base64url').toString('latin1');
      return { entries: await response.json(), next };
    },
  };
}

/** The cursor of the API for the value of `next` that a command printed. */
export const cursorOf = (next: string | undefined): string | undefined =>
  next === undefined ? undefined : Buffer.from(next, 'latin1').toString('base64url');

async function toError(response: Response): Promise<AppError> {
  const code = response.headers.get('Error-Code') ?? '';
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  const message = body?.error?.message ?? `The service answered ${response.status}. Check DOCMILL_URL.`;
  return new AppError(Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'internal', message);
}
