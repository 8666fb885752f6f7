import type { components, Docmill } from '@docmill/client';
import { computed, signal } from '@preact/signals';

type Key = components['schemas']['AccountKey'];
/** What a key may do, as the API names it. */
export type Scope = NonNullable<Key['scopes']>[number];

export interface Session {
  readonly docmill: Docmill;
  readonly key: Key;
}

/** Why nobody is signed in; the page of sign-in shows it. */
export type SignedOutReason = 'start' | 'chosen' | 'refused';

/** Undefined while nobody is signed in. */
export const session = signal<Session | undefined>(undefined);
export const signedOutReason = signal<SignedOutReason>('start');
export const isTestKey = computed(() => session.value?.key.kind === 'test');

/** Whether the key of this tab may do it. Pages hide what it may not. */
export function hasScope(scope: Scope): boolean {
  return session.value?.key.scopes.includes(scope) === true;
}

/** The client of the key of this tab. Pages exist only while somebody is signed in. */
export function useDocmill(): Docmill {
  if (session.value === undefined) throw new Error('Nobody is signed in.');
  return session.value.docmill;
}
