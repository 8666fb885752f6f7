import { ApiError, ConnectionError } from '@docmill/client';

/** Whether the service is busy or not reached: it may answer later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
