import { Docmill } from '@docmill/client';
import { computed, signal } from '@preact/signals';
import { serviceUrl } from './addresses.ts';

/** What a key may do, as the API names it. */
export type Scope = 'templates:read' | 'templates:write' | 'generate' | 'account:read' | 'webhooks';

export interface Session {
  readonly apiKey: string;
  readonly docmill: Docmill;
  readonly isTest: boolean;
  /** Undefined: everything. */
  readonly scopes: readonly Scope[] | undefined;
}

/** Why nobody is signed in; the page of sign-in shows it. */
export type SignedOutReason = 'start' | 'chosen' | 'refused';

const storageName = 'docmill.key';

/** Undefined while nobody is signed in. */
export const session = signal<Session | undefined>(undefined);
export const signedOutReason = signal<SignedOutReason>('start');
export const isTestKey = computed(() => session.value?.isTest === true);

/** Whether the key of this tab may do it. Pages hide what it may not. */
export function hasScope(scope: Scope): boolean {
  const scopes = session.value?.scopes;
  return session.value !== undefined && (scopes === undefined || scopes.includes(scope));
}

/**
 * Signs in with a key for this tab: it is in the memory and the session storage of the tab, and nowhere else.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it does not answer
 */
export async function signIn(apiKey: string, signal?: AbortSignal): Promise<void> {
  const docmill = new Docmill({ apiKey, baseUrl: serviceUrl, fetch: fetchOrSignOut });
  await docmill.account.quotas({ signal });
  sessionStorage.setItem(storageName, apiKey);
  session.value = { apiKey, docmill, isTest: false, scopes: undefined };
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
