import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { Redis } from '../../shared/queue/redis.ts';

const sessionSchema = z.object({
  accountId: z.string(),
  keyId: z.string(),
  provider: z.string(),
  /** By the database's clock. */
  startedAtMs: z.number(),
  /** By the clock of the process that began it; no use extends a session beyond it. */
  endsAtMs: z.number(),
});

export type Session = z.infer<typeof sessionSchema>;

export interface NewSession extends Omit<Session, 'endsAtMs'> {
  /** The provider's own id of its session, by which it may end this one. */
  readonly providerSession: string | undefined;
}

/** The sessions of people, in Redis. It has hashes of their tokens only. */
export interface Sessions {
  /** Begins a session and returns its token: 256 random bits. */
  begin(session: NewSession): Promise<string>;
  /** Finds a session and begins its idle time again. */
  use(token: string): Promise<Session | undefined>;
  /** Finds a session without extending it. */
  peek(token: string): Promise<Session | undefined>;
  end(token: string): Promise<void>;
  /** Ends the session whose token has this hash. */
  endByHash(tokenHash: string): Promise<void>;
  endAllOf(person: Pick<Session, 'accountId' | 'keyId'>): Promise<void>;
  /**
   * Ends the sessions that began with a session of the provider, also those that begin with it from now on. `beforeEnd`
   * is called first for each that has not ended yet: if it fails, a repeated call finds the session again. False if none
   * ever began with it.
   */
  endOfProvider(
    provider: string,
    providerSession: string,
    beforeEnd: (session: Session) => Promise<void>,
  ): Promise<boolean>;
}

export interface SessionLimits {
  /** A session that is not used for so long has ended. */
  readonly idleSeconds: number;
  /** A session ends after this time, however much it is used. */
  readonly absoluteSeconds: number;
}

export const hashOf = (text: string): string => hash('sha256', text, 'base64url');

export function createSessions(redis: Redis, prefix: string, limits: SessionLimits): Sessions {
  const { idleSeconds, absoluteSeconds } = limits;
  const sessionAt = (tokenHash: string): string => `${prefix}:session:${tokenHash}`;
  // The account's id lets the deletion of an account find the key.
  const personAt = ({ accountId, keyId }: Pick<Session, 'accountId' | 'keyId'>): string =>
    `${prefix}:sessions-of:${accountId}:${keyId}`;
  const providerAt = (provider: string, providerSession: string): string =>
    `${prefix}:sessions-at:${provider}:${hashOf(providerSession)}`;
  const endedAt = (provider: string, providerSession: string): string =>
    `${prefix}:ended-at:${provider}:${hashOf(providerSession)}`;
  const read = async (tokenHash: string, stored: string | null): Promise<Session | undefined> => {
    const session = stored === null ? undefined : sessionSchema.parse(JSON.parse(stored));
    if (session === undefined || session.endsAtMs > Date.now()) return session;
    await redis.del(sessionAt(tokenHash));
    return undefined;
  };
  // In one transaction: an index never stays for ever, and has no more than the sessions that can still be open.
  const index = async (key: string, tokenHash: string, endsAtMs: number): Promise<void> => {
    await redis
      .multi()
      .zremrangebyscore(key, '-inf', Date.now())
      .zadd(key, endsAtMs, tokenHash)
      .expire(key, absoluteSeconds)
      .exec();
  };
  const peek = async (tokenHash: string): Promise<Session | undefined> =>
    read(tokenHash, await redis.get(sessionAt(tokenHash)));
  return {
    begin: ({ providerSession, ...session }) =>
      guardedRedis(async () => {
        const token = randomBytes(32).toString('base64url');
        const tokenHash = hashOf(token);
        const endsAtMs = Date.now() + absoluteSeconds * 1_000;
        // The indexes come first: a session that they lack could not be ended.
        await index(personAt(session), tokenHash, endsAtMs);
        if (providerSession !== undefined)
          await index(providerAt(session.provider, providerSession), tokenHash, endsAtMs);
        const value = JSON.stringify({ ...session, endsAtMs } satisfies Session);
        await redis.set(sessionAt(tokenHash), value, 'EX', Math.min(idleSeconds, absoluteSeconds));
        // Looked up last: a logout that comes between is either seen here, or finds the session in the index.
        const isEnded =
          providerSession !== undefined && (await redis.exists(endedAt(session.provider, providerSession)));
        if (isEnded) await redis.del(sessionAt(tokenHash));
        return token;
      }),
    use: (token) =>
      guardedRedis(async () => {
        const tokenHash = hashOf(token);
        return read(tokenHash, await redis.getex(sessionAt(tokenHash), 'EX', Math.min(idleSeconds, absoluteSeconds)));
      }),
    peek: (token) => guardedRedis(() => peek(hashOf(token))),
    end: (token) =>
      guardedRedis(async () => {
        await redis.del(sessionAt(hashOf(token)));
      }),
    endByHash: (tokenHash) =>
      guardedRedis(async () => {
        await redis.del(sessionAt(tokenHash));
      }),
    endAllOf: (person) =>
      guardedRedis(async () => {
        // One key at a time, because the keys of a cluster are on several servers.
        for (const tokenHash of await redis.zrange(personAt(person), '0', '-1')) await redis.del(sessionAt(tokenHash));
      }),
    endOfProvider: (provider, providerSession, beforeEnd) =>
      guardedRedis(async () => {
        await redis.set(endedAt(provider, providerSession), '', 'EX', absoluteSeconds);
        const begun = await redis.zrange(providerAt(provider, providerSession), '0', '-1');
        for (const tokenHash of begun) {
          const session = await peek(tokenHash);
          if (session === undefined) continue;
          await beforeEnd(session);
          await redis.del(sessionAt(tokenHash));
        }
        return begun.length > 0;
      }),
  };
}
