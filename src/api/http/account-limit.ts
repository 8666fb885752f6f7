import { AppError } from '../../shared/errors.ts';
import { createKeyedLimiter, type Permit } from '../../shared/keyed-limiter.ts';

export interface AccountLimitOptions {
  /** Limit for all accounts together, in this process. */
  readonly maxTotal: number;
  readonly maxPerAccount: number;
  /** Error message for a rejected request. */
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/**
 * Limits how many permits of this process each account, and all accounts together, hold at a time. An account that
 * holds as many permits as are free gets no more, so that some are left for the next account, however many are at their
 * limits.
 */
export interface AccountLimit {
  /** Throws `unavailable` when the account or the process is at its limit. */
  acquire(accountId: string): Permit;
  inUse(): number;
}

export function createAccountLimit({
  maxTotal,
  maxPerAccount,
  message,
  retryAfterSeconds,
}: AccountLimitOptions): AccountLimit {
  const limiter = createKeyedLimiter({ maxTotal, maxPerKey: maxPerAccount });
  return {
    inUse: () => limiter.inUse(),
    acquire(accountId) {
      const isWithinShare = limiter.inUse(accountId) < maxTotal - limiter.inUse();
      const permit = isWithinShare ? limiter.tryAcquire(accountId) : undefined;
      if (permit === undefined) throw new AppError('unavailable', message, { retryAfterSeconds });
      return permit;
    },
  };
}
