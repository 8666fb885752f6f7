import { Docmill } from '@docmill/client';
import { consolePath, serviceUrl } from './addresses.ts';
import { keepDraftsOf } from './drafts.ts';
import { accountId, type Session, type SignedOutReason, session, signedOutReason } from './session.ts';

const storageName = 'docmill.key';
/** Remembers that the user signed out in this tab, which then does not take over the session of another one. */
const signedOutName = 'docmill.signed-out';

/**
 * Signs this tab in with a key, which is stored only in the tab's memory and session storage.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it is unreachable
 */
export async function signIn(apiKey: string): Promise<void> {
  const docmill = new Docmill({ apiKey, baseUrl: serviceUrl, fetch: fetchInSession });
  // A key revoked during use ends its session; a late response to that key does not end the session of another one.
  async function fetchInSession(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request);
    if (response.status === 401 && session.value?.docmill === docmill) signOut('refused');
    return response;
  }
  // The user is waiting, so a rate limit is shown at once instead of being retried.
  const key = await docmill.account.key({ maxRetries: 0 });
  sessionStorage.setItem(storageName, apiKey);
  sessionStorage.removeItem(signedOutName);
  session.value = { docmill, key };
  keepDraftsOf(accountId.value);
}

/** Ends the session. What was typed stays in the tab if the key was refused, for another key of the same account. */
export function signOut(reason: SignedOutReason = 'chosen'): void {
  sessionStorage.removeItem(storageName);
  if (reason === 'chosen') {
    sessionStorage.setItem(signedOutName, 'yes');
    keepDraftsOf(undefined);
  }
  signedOutReason.value = reason;
  session.value = undefined;
}

/** Replaces the session. Reloads the page, so that nothing of the previous account remains. */
export function switchTo(apiKey: string): void {
  sessionStorage.setItem(storageName, apiKey);
  location.replace(`${consolePath}/`);
}

/**
 * Describes a key without signing in.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it is unreachable
 */
export async function describeKey(apiKey: string, signal: AbortSignal): Promise<Session['key']> {
  return await new Docmill({ apiKey, baseUrl: serviceUrl }).account.key({ maxRetries: 0, signal });
}

/** The key of this tab, kept across reloads. */
export function storedKey(): string | undefined {
  return sessionStorage.getItem(storageName) ?? undefined;
}

/** Whether the user signed out in this tab, and has not signed in since. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(signedOutName) !== null;
