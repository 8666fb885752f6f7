import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../shared/errors.ts';

const invalidKeysPerWindow = 100;
const windowSeconds = 10;

/** Limits how many invalid keys an address may send. */
export interface InvalidKeys {
  /** Throws `rate_limited` for an address that sent too many. */
  check(address: string): Promise<void>;
  note(address: string): Promise<void>;
}

/** `kind` names the keys in the message. */
export function createInvalidKeys(kind: string): InvalidKeys {
  const limiter = new RateLimiterMemory({ points: invalidKeysPerWindow, duration: windowSeconds });
  return {
    async check(address) {
      const usage = await limiter.get(address);
      if (usage === null || usage.consumedPoints < invalidKeysPerWindow) return;
      throw new AppError('rate_limited', `Too many requests with an invalid ${kind}. Check the key, then try again.`, {
        retryAfterSeconds: usage.msBeforeNext / 1_000,
      });
    },
    async note(address) {
      await limiter.consume(address).catch((refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
      });
    },
  };
}
