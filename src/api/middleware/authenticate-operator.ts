import { hkdfSync } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import { isInRanges } from '../../shared/config/address-ranges.ts';
import { hashApiKey } from '../../shared/domain/api-keys/api-key.ts';
import type { OperatorHolder } from '../../shared/domain/operators/operator-keys.ts';
import { createSecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { clientAddress } from '../http/client-address.ts';
import { createInvalidKeys } from './invalid-keys.ts';

export type FindOperator = (operatorKey: string) => Promise<OperatorHolder | undefined>;

const header = /^Bearer +([^\s]{1,200})$/i;
const maxRemembered = 1_000;

const unauthorized = (): AppError => new AppError('unauthorized', 'Missing or invalid operator key');

/**
 * Admits requests with a valid operator key from an address that it allows. Keys are not cached, so that a revoked one
 * is refused at once. An address that keeps sending invalid keys gets 429 without a query; keys that were valid before
 * are still looked up.
 */
export function authenticateOperator({
  find,
  trustedProxies,
}: {
  readonly find: FindOperator;
  readonly trustedProxies: readonly string[];
}): MiddlewareHandler<ApiEnv> {
  const invalidKeys = createInvalidKeys('operator key');
  const live = new LRUCache<string, true>({ max: maxRemembered });
  return async (c, next) => {
    const operatorKey = header.exec(c.req.header('Authorization') ?? '')?.[1];
    if (operatorKey === undefined) throw unauthorized();
    const address = clientAddress(c.env?.incoming, trustedProxies);
    const remembered = hashApiKey(operatorKey).toString('base64');
    if (!live.has(remembered)) await invalidKeys.check(address);
    const operator = await find(operatorKey);
    if (operator === undefined) {
      live.delete(remembered);
      await invalidKeys.note(address);
      throw unauthorized();
    }
    if (operator.addressRanges !== null && !isInRanges(address, operator.addressRanges)) {
      // A stolen key is limited like an invalid one.
      await invalidKeys.note(address);
      c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
      throw new AppError('insufficient_scope', `This operator key is not allowed from the address ${address}.`);
    }
    live.set(remembered, true);
    c.set('operator', operator);
    // Limits of memory and time are shared by this id. It is the id of no account.
    c.set('accountId', operator.operatorKeyId);
    c.set('keyId', operator.operatorKeyId);
    c.set('address', address);
    c.set('sealing', sealingOf(operatorKey));
    await next();
  };
}

/** A key derived from the operator key, of which the service stores only a hash. */
function sealingOf(operatorKey: string) {
  const derived = hkdfSync('sha256', operatorKey, '', 'docmill responses to an operator', 32);
  return createSecretBox([Buffer.from(derived).toString('base64')]);
}
