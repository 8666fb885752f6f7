import type { components, Docmill } from '@docmill/client';
import { computed, signal } from '@preact/signals';

type Key = components['schemas']['AccountKey'];
/** What a key may do, as the API names it. */
export type Scope = NonNullable<Key['scopes']>[number];

/** Somebody who signed in by a provider instead of with a key. */
export interface Person {
  /** The id of this user's key. */
  readonly keyId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly roles: readonly string[];
  /** What the provider is called. */
  readonly provider: string;
  /** When the session ends, however much it is used (RFC 3339). */
  readonly endsAt: string;
}

export interface Session {
  readonly docmill: Docmill;
  /** Of a person, too: their key has no secret. */
  readonly key: Key;
  readonly person?: Person;
}

/** Why nobody is signed in; shown on the sign-in page. */
export type SignedOutReason = 'start' | 'chosen' | 'refused' | 'ended';

/** Undefined while nobody is signed in. */
export const session = signal<Session | undefined>(undefined);
export const signedOutReason = signal<SignedOutReason>('start');
export const isTestKey = computed(() => session.value?.key.kind === 'test');

/** During an upgrade, the previous release may respond without the account. */
export const accountId = computed(() => (session.value?.key as Partial<Key> | undefined)?.account?.id);

/** Whether the key or the person of this tab has the scope. Pages hide actions that it does not allow. */
export function hasScope(scope: Scope): boolean {
  const scopes = session.value?.key.scopes ?? [];
  return scopes.includes(scope) || (scope === 'documents:read' && scopes.includes('generate'));
}

/** The client for the key of this tab. Pages exist only while a user is signed in. */
export function useDocmill(): Docmill {
  if (session.value === undefined) throw new Error('Nobody is signed in.');
  return session.value.docmill;
}
