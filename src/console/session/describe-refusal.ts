import { ApiError, ConnectionError } from '@docmill/client';
import { sessionTexts } from '../texts/session.ts';
import { describeError } from '../ui/describe-error.ts';

/** The message shown when a key cannot sign in. */
export function describeRefusal(error: unknown): string {
  if (error instanceof ConnectionError) return sessionTexts.unreachable;
  if (error instanceof ApiError) return error.status === 401 ? sessionTexts.wrong : describeError(error).message;
  return sessionTexts.malformed;
}
