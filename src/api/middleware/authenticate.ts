import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { closeWithKey } from './close-with-key.ts';
import type { KeyCache } from './key-cache.ts';

const header = /^Bearer +([^\s]{1,200})$/i;
const invalidKeysPerWindow = 100;
const windowSeconds = 10;

const unauthorized = (): AppError => new AppError('unauthorized', 'Missing or invalid API key');

const suspended = (): AppError =>
  new AppError('account_suspended', 'This account is suspended. Contact the operator of this service.');

/**
 * Admits requests with a valid key of an account that is not suspended. A missing, malformed, unknown, expired or
 * revoked key always gets the same response. An address that keeps sending invalid keys gets 429 without a database
 * query; keys that were valid before are still looked up, because all clients behind a proxy share one address.
 */
export function authenticate(keys: KeyCache): MiddlewareHandler<ApiEnv> {
  const invalidKeys = new RateLimiterMemory({ points: invalidKeysPerWindow, duration: windowSeconds });
  return async (c, next) => {
    const startedAt = performance.now();
    const apiKey = header.exec(c.req.header('Authorization') ?? '')?.[1];
    if (apiKey === undefined) throw unauthorized();
    const address = c.env?.incoming?.socket?.remoteAddress ?? 'unknown';
    const holder = keys.peek(apiKey) ?? (await findWithinLimit(keys, apiKey, invalidKeys, address));
    if (holder.isSuspended) {
      c.header('WWW-Authenticate', 'Bearer');
      throw suspended();
    }
    c.set('accountId', holder.accountId);
    c.set('keyId', holder.keyId);
    c.set('scopes', holder.scopes);
    c.set('isTest', holder.isTest);
    c.get('stages').record('auth', performance.now() - startedAt);
    closeWithKey(c, keys, apiKey);
    await next();
  };
}

/** The account of a request whose key is cached, otherwise the client's address. */
export function callerOf(keys: KeyCache, { headers, socket }: IncomingMessage): string {
  const apiKey = header.exec(headers.authorization ?? '')?.[1];
  const holder = apiKey === undefined ? undefined : keys.peek(apiKey);
  return holder?.accountId ?? socket.remoteAddress ?? 'unknown';
}

async function findWithinLimit(keys: KeyCache, apiKey: string, invalidKeys: RateLimiterMemory, address: string) {
  const usage = await invalidKeys.get(address);
  if (usage !== null && usage.consumedPoints >= invalidKeysPerWindow && !keys.wasLive(apiKey))
    throw tooManyInvalidKeys(usage);
  const holder = await keys.find(apiKey);
  if (holder !== undefined) return holder;
  await invalidKeys.consume(address).catch((refusal: unknown) => {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
  });
  throw unauthorized();
}

function tooManyInvalidKeys(usage: RateLimiterRes): AppError {
  return new AppError('rate_limited', 'Too many requests with an invalid API key. Check the key, then try again.', {
    retryAfterSeconds: usage.msBeforeNext / 1_000,
  });
}
