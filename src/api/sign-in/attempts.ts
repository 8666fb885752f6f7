import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import { hashOf } from '../middleware/sessions.ts';

/** How long a person may take at the provider. */
export const attemptSeconds = 600;

const attemptSchema = z.object({
  provider: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The hash of the token that the browser got. */
  browser: z.string(),
  /** The path of the console that opens afterwards. */
  to: z.string(),
  /** The hash of the token of the session that the browser had. The provider's redirect does not carry its cookie. */
  sessionBefore: z.string().optional(),
});

export type StoredAttempt = z.infer<typeof attemptSchema>;

/** Sign-ins that have begun, in Redis, by the hash of their `state`. */
export interface Attempts {
  begin(state: string, attempt: StoredAttempt): Promise<void>;
  /** Takes an attempt, which therefore succeeds at most once. */
  take(state: string): Promise<StoredAttempt | undefined>;
  /** Whether a logout token was used before. */
  wasUsed(provider: string, tokenId: string): Promise<boolean>;
  noteUse(provider: string, tokenId: string, seconds: number): Promise<void>;
}

export const newToken = (): string => randomBytes(32).toString('base64url');

export const isHashOf = (stored: string, text: string): boolean => {
  const [one, other] = [Buffer.from(stored), Buffer.from(hashOf(text))];
  return one.length === other.length && timingSafeEqual(one, other);
};

export function createAttempts(redis: Redis, prefix: string): Attempts {
  const at = (state: string): string => `${prefix}:sign-in:${hashOf(state)}`;
  const logoutAt = (provider: string, tokenId: string): string => `${prefix}:logout:${provider}:${hashOf(tokenId)}`;
  return {
    begin: (state, attempt) =>
      guardedRedis(async () => {
        await redis.set(at(state), JSON.stringify(attempt), 'EX', attemptSeconds);
      }),
    take: (state) =>
      guardedRedis(async () => {
        const stored = await redis.getdel(at(state));
        return stored === null ? undefined : attemptSchema.parse(JSON.parse(stored));
      }),
    wasUsed: (provider, tokenId) => guardedRedis(async () => (await redis.exists(logoutAt(provider, tokenId))) === 1),
    noteUse: (provider, tokenId, seconds) =>
      guardedRedis(async () => {
        await redis.set(logoutAt(provider, tokenId), '', 'EX', seconds);
      }),
  };
}
