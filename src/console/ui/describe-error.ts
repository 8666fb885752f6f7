import { ApiError, ConnectionError } from '@docmill/client';
import { shellTexts } from '../texts/shell.ts';

export interface DescribedError {
  readonly message: string;
  readonly details: readonly string[];
  readonly requestId: string | undefined;
}

/** The message shown for an error: what went wrong, and what to do. */
export function describeError(error: unknown): DescribedError {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const details = error instanceof ApiError ? error.details.map(({ message }) => message) : [];
  return { message: messageOf(error), details, requestId };
}

function messageOf(error: unknown): string {
  if (error instanceof ConnectionError) return shellTexts.offline;
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 402) return shellTexts.noQuota;
  if (error.status === 412) return shellTexts.changedMeanwhile;
  // The e-mail limit lasts until midnight, and its message says which limit it is.
  if (error.status === 429 && error.code !== 'email_limit_exceeded' && error.retryAfterMs !== undefined)
    return shellTexts.tooMany(Math.ceil(error.retryAfterMs / 1_000));
  return error.message;
}
