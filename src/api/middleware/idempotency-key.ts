import type { Context, MiddlewareHandler } from 'hono';
import type { ApiConfig } from '../../shared/config/load-config.ts';
import type { IdempotencyClaim } from '../../shared/domain/idempotency-keys.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const maxLength = 255;

/**
 * Reads `Idempotency-Key` of a POST (draft-ietf-httpapi-idempotency-key-header): a structured-field string, or the bare
 * text that most clients send; 1 to 255 printable ASCII characters, neither beginning nor ending with a space.
 */
export function idempotencyKey(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const header = c.req.method === 'POST' ? c.req.header('Idempotency-Key') : undefined;
    c.set('idempotencyKey', header === undefined ? undefined : parseIdempotencyKey(header));
    await next();
  };
}

export function parseIdempotencyKey(header: string): string {
  const inner = quoted.exec(header)?.[1]?.replace(/\\(["\\])/g, '$1');
  const key = inner ?? header;
  if (key.length > maxLength || !visible.test(key)) {
    throw new AppError('invalid_request', 'Invalid Idempotency-Key header', {
      details: [
        {
          type: 'Field',
          path: 'Idempotency-Key',
          message: `must be 1 to ${maxLength} printable ASCII characters and must not begin or end with a space`,
        },
      ],
    });
  }
  return key;
}

/** The claim that binds the request's `Idempotency-Key` to this operation and request; undefined without the header. */
export function idempotencyClaim(
  c: Context<ApiEnv>,
  { config }: { readonly config: Pick<ApiConfig, 'RESULT_TTL_SECONDS'> },
  operation: string,
  requestHash: string,
): Omit<IdempotencyClaim, 'resourceId'> | undefined {
  const key = c.get('idempotencyKey');
  return key === undefined ? undefined : { key, operation, requestHash, ttlSeconds: config.RESULT_TTL_SECONDS };
}
