import type { Context } from 'hono';
import type { ChangeBy } from '../../shared/domain/accounts/lock-for-change.ts';
import { hasScope, type Scope } from '../../shared/domain/api-keys/scopes.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';

/**
 * Refuses a key that has neither the scope nor the alternative, with 403 and the challenge of RFC 6750, section 3.1,
 * before anything is read.
 */
export function requireScope(c: Context<ApiEnv>, scope: Scope, alternative?: Scope): void {
  const scopes = c.get('scopes');
  if (hasScope(scopes, scope) || (alternative !== undefined && hasScope(scopes, alternative))) return;
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  const also = alternative === undefined ? '' : ` or ${alternative}`;
  throw new AppError('insufficient_scope', `This API key lacks the scope ${scope}${also}. Use a key that has it.`);
}

/** Whose request it is, for changes that live documents use at once. */
export const changeBy = (c: Context<ApiEnv>): ChangeBy => ({
  accountId: c.get('accountId'),
  mayApprove: hasScope(c.get('scopes'), 'templates:approve'),
});

/** Refuses a test key; `instead` says what such keys may do. */
export function requireLiveKey(c: Context<ApiEnv>, instead: string): void {
  if (!c.get('isTest')) return;
  c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  throw new AppError('test_key', `${instead} Use a key that is not for tests.`);
}
