import type { Database } from '../../shared/db/client.ts';
import type { Redis } from '../../shared/queue/redis.ts';
import { createPeopleCache } from '../middleware/key-cache.ts';
import { createSessionGate, type SessionGate } from '../middleware/session-gate.ts';
import { createSessions, type Sessions } from '../middleware/sessions.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import type { SignInSettings } from './load-sign-in.ts';
import { createProvider, type Provider } from './provider.ts';

/** Everything that people need to sign in. */
export interface SignIn {
  readonly origin: string;
  /** By id, in the order of the configuration. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly attempts: Attempts;
  readonly sessions: Sessions;
  readonly gate: SessionGate;
}

export const callbackPath = (provider: string): string => `/console/sign-in/${provider}/callback`;

export function createSignIn(
  { origin, providers, ...limits }: SignInSettings,
  { db, redis, prefix, cacheSeconds }: SignInStores,
): SignIn {
  const sessions = createSessions(redis, prefix, limits);
  const people = createPeopleCache(db, cacheSeconds);
  const accounts = new Map(providers.map(({ id, account }) => [id, account]));
  return {
    origin,
    providers: new Map(providers.map((each) => [each.id, createProvider(each, origin + callbackPath(each.id))])),
    attempts: createAttempts(redis, prefix),
    sessions,
    gate: createSessionGate({ sessions, people, accounts, origin, absoluteSeconds: limits.absoluteSeconds }),
  };
}

interface SignInStores {
  readonly db: Database;
  readonly redis: Redis;
  readonly prefix: string;
  /** How long an API process may remember a person. */
  readonly cacheSeconds: number;
}
