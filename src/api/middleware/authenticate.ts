import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';
import type { Stages } from '../../shared/stages.ts';
import type { ApiEnv } from '../env.ts';
import type { KeyCache } from './key-cache.ts';

const header = /^Bearer +([^\s]{1,200})$/i;
const wrongKeysPerWindow = 100;
const windowSeconds = 10;

const unauthorized = (): AppError => new AppError('unauthorized', 'Missing or invalid API key');

/**
 * Lets a request with a live key through. A missing, malformed, unknown, expired and revoked key all get the same answer.
 * An address that keeps sending wrong keys is answered 429 without a look-up; keys that were live before are still looked
 * up, since a proxy makes one address of all clients.
 */
export function authenticate(keys: KeyCache, stages: Stages): MiddlewareHandler<ApiEnv> {
  const wrongKeys = new RateLimiterMemory({ points: wrongKeysPerWindow, duration: windowSeconds });
  return async (c, next) => {
    const startedAt = performance.now();
    const apiKey = header.exec(c.req.header('Authorization') ?? '')?.[1];
    if (apiKey === undefined) throw unauthorized();
    const address = c.env?.incoming?.socket?.remoteAddress ?? 'unknown';
    const holder = keys.peek(apiKey) ?? (await findWithinLimit(keys, apiKey, wrongKeys, address));
    c.set('accountId', holder.accountId);
    c.set('keyId', holder.keyId);
    stages.note('auth', performance.now() - startedAt);
    await next();
  };
}

async function findWithinLimit(keys: KeyCache, apiKey: string, wrongKeys: RateLimiterMemory, address: string) {
  const spent = await wrongKeys.get(address);
  if (spent !== null && spent.consumedPoints >= wrongKeysPerWindow && !keys.wasLive(apiKey))
    throw tooManyWrongKeys(spent);
  const holder = await keys.find(apiKey);
  if (holder !== undefined) return holder;
  await wrongKeys.consume(address).catch((refusal: unknown) => {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
  });
  throw unauthorized();
}

function tooManyWrongKeys(spent: RateLimiterRes): AppError {
  return new AppError('rate_limited', 'Too many requests with an invalid API key. Check the key, then try again.', {
    retryAfterSeconds: spent.msBeforeNext / 1_000,
  });
}
