import { AppError } from '../errors.ts';

const outageCodes = new Set([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '53300',
  '53100',
  '53200',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '55P03',
  '25P03',
  '40001',
  '40P01',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

function* causes(error: unknown): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  for (let current = error, depth = 0; typeof current === 'object' && current !== null && depth < 5; depth++) {
    yield current as { readonly code?: unknown; readonly message?: unknown };
    current = (current as { readonly cause?: unknown }).cause;
  }
}

/** Is PostgreSQL away, restarting, overloaded or too slow (as opposed to our statement being wrong)? */
export function isDatabaseOutage(error: unknown): boolean {
  for (const cause of causes(error)) {
    if (typeof cause.code === 'string' && outageCodes.has(cause.code)) return true;
    if (
      typeof cause.message === 'string' &&
      /timeout|Connection terminated|Client has encountered/i.test(cause.message)
    ) {
      return true;
    }
  }
  return false;
}

export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database is not reachable at the moment. Try again shortly.', {
    cause,
    retryAfterSeconds: 2,
  });
}
