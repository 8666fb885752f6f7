import type { MiddlewareHandler } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../env.ts';

const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const visible = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const maxLength = 255;

/**
 * Reads `Idempotency-Key` of a POST (draft-ietf-httpapi-idempotency-key-header): a structured-field string, or the bare
 * text that most clients send; 1 to 255 visible ASCII characters.
 */
export function idempotency(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const given = c.req.method === 'POST' ? c.req.header('Idempotency-Key') : undefined;
    c.set('idempotencyKey', given === undefined ? undefined : parseKey(given));
    await next();
  };
}

export function parseKey(given: string): string {
  const inner = quoted.exec(given)?.[1]?.replace(/\\(["\\])/g, '$1');
  const key = inner ?? given;
  if (key.length > maxLength || !visible.test(key)) {
    throw new AppError('invalid_request', 'The Idempotency-Key header is not usable', {
      details: [
        {
          type: 'Field',
          path: 'Idempotency-Key',
          message: `must be 1 to ${maxLength} visible ASCII characters`,
        },
      ],
    });
  }
  return key;
}
