import { ApiError, ConnectionError } from '@docmill/client';

/** Whether the service is busy or unreachable, so that a retry may succeed. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
