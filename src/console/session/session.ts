import { type components, Docmill } from '@docmill/client';
import { computed, signal } from '@preact/signals';
import { serviceUrl } from './addresses.ts';

type Key = components['schemas']['AccountKey'];
/** What a key may do, as the API names it. */
export type Scope = NonNullable<Key['scopes']>[number];

export interface Session {
  readonly apiKey: string;
  readonly docmill: Docmill;
  readonly key: Key;
}

/** Why nobody is signed in; the page of sign-in shows it. */
export type SignedOutReason = 'start' | 'chosen' | 'refused';

const storageName = 'docmill.key';

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

/**
 * Signs in with a key for this tab: it is in the memory and the session storage of the tab, and nowhere else.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it does not answer
 */
export async function signIn(apiKey: string, signal?: AbortSignal): Promise<void> {
  const docmill = new Docmill({ apiKey, baseUrl: serviceUrl, fetch: fetchOrSignOut });
  // A person waits for the answer: a limit is shown at once, not after the waits of the client.
  const key = await docmill.account.key({ signal, maxRetries: 0 });
  sessionStorage.setItem(storageName, apiKey);
  session.value = { apiKey, docmill, key };
}

/** The key of this tab, from the address (`#key=dts_…`, which is removed from it) or from before the page was loaded again. */
export function storedKey(): string | undefined {
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('key');
  if (fromAddress !== null) history.replaceState(null, '', location.pathname + location.search);
  return fromAddress ?? sessionStorage.getItem(storageName) ?? undefined;
}

export function signOut(reason: SignedOutReason = 'chosen'): void {
  sessionStorage.removeItem(storageName);
  signedOutReason.value = reason;
  session.value = undefined;
}

/** A key that is revoked while it is used ends the session: every page returns to the sign-in. */
async function fetchOrSignOut(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.status === 401 && session.value !== undefined) signOut('refused');
  return response;
}
