import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { closeWithKey } from './close-with-key.ts';
import type { Credential } from './credential.ts';
import { createInvalidKeys, type InvalidKeys } from './invalid-keys.ts';
import type { KeyCache } from './key-cache.ts';
import { ended, type SessionGate } from './session-gate.ts';

const header = /^Bearer +([^\s]{1,200})$/i;

const unauthorized = (): AppError => new AppError('unauthorized', 'Missing or invalid API key');

const suspended = (): AppError =>
  new AppError('account_suspended', 'This account is suspended. Contact the operator of this service.');

/**
 * Admits requests with a valid key of an account that is not suspended. A missing, malformed, unknown, expired or
 * revoked key always gets the same response. An address that keeps sending invalid keys gets 429 without a database
 * query; keys that were valid before are still looked up, because all clients behind a proxy share one address. Where
 * people sign in, a request without `Authorization` may carry a session instead.
 */
export function authenticate(keys: KeyCache, gate?: SessionGate): MiddlewareHandler<ApiEnv> {
  const invalidKeys = createInvalidKeys('API key');
  const openKey = async (c: Context<ApiEnv>, authorization: string | undefined) => {
    const apiKey = header.exec(authorization ?? '')?.[1];
    if (apiKey === undefined) throw unauthorized();
    const address = c.env?.incoming?.socket?.remoteAddress ?? 'unknown';
    const holder = keys.peek(apiKey) ?? (await findWithinLimit(keys, apiKey, invalidKeys, address));
    const credential: Credential = { find: () => keys.find(apiKey), recheckMs: () => keys.recheckMs(apiKey) };
    return { holder, credential };
  };
  return async (c, next) => {
    const startedAt = performance.now();
    const authorization = c.req.header('Authorization');
    const session = authorization === undefined ? await gate?.open(c) : undefined;
    const { holder, credential } =
      session === undefined ? await openKey(c, authorization) : { holder: await session.find(), credential: session };
    if (holder === undefined) throw ended();
    if (holder.isSuspended) {
      c.header('WWW-Authenticate', 'Bearer');
      throw suspended();
    }
    c.set('accountId', holder.accountId);
    c.set('keyId', holder.keyId);
    c.set('scopes', holder.scopes);
    c.set('isTest', holder.isTest);
    c.get('stages').record('auth', performance.now() - startedAt);
    closeWithKey(c, credential);
    await next();
  };
}

/** The account of a request whose key is cached, otherwise the client's address. */
export function callerOf(keys: KeyCache, { headers, socket }: IncomingMessage): string {
  const apiKey = header.exec(headers.authorization ?? '')?.[1];
  const holder = apiKey === undefined ? undefined : keys.peek(apiKey);
  return holder?.accountId ?? socket.remoteAddress ?? 'unknown';
}

async function findWithinLimit(keys: KeyCache, apiKey: string, invalidKeys: InvalidKeys, address: string) {
  if (!keys.wasLive(apiKey)) await invalidKeys.check(address);
  const holder = await keys.find(apiKey);
  if (holder !== undefined) return holder;
  await invalidKeys.note(address);
  throw unauthorized();
}
