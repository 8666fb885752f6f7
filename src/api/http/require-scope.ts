import type { Context } from 'hono';
import { allows, type Scope } from '../../shared/domain/api-keys/scopes.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';

/** Refuses a key without the scope, with 403 and the challenge of RFC 6750, section 3.1, before anything is read. */
export function requireScope(c: Context<ApiEnv>, scope: Scope): void {
  if (allows(c.get('scopes'), scope)) return;
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  throw new AppError('insufficient_scope', `This API key lacks the scope ${scope}. Use a key that has it.`);
}

/** Refuses a test key; `instead` says what such keys may do. */
export function requireLiveKey(c: Context<ApiEnv>, instead: string): void {
  if (!c.get('isTest')) return;
  c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  throw new AppError('test_key', `${instead} Use a key that is not for tests.`);
}
