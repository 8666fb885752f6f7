import { ApiError } from '@docmill/client';

/**
 * The error to show for an upload. A refusal beyond a limit of the account names the limit in its message, which would
 * otherwise be taken for the quota of documents.
 */
export function statedLimit(error: unknown): unknown {
  return error instanceof ApiError && error.status === 402 ? new Error(error.message) : error;
}
