import { Docmill } from '@docmill/client';
import { consolePath, serviceUrl } from './addresses.ts';
import { type Session, type SignedOutReason, session, signedOutReason } from './session.ts';

const storageName = 'docmill.key';

/**
 * Signs in with a key for this tab: it is in the memory and the session storage of the tab, and nowhere else.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it does not answer
 */
export async function signIn(apiKey: string): Promise<void> {
  const docmill = new Docmill({ apiKey, baseUrl: serviceUrl, fetch: fetchInSession });
  // A key that is revoked while it is used ends its session; a late answer to it does not end the session of another key.
  async function fetchInSession(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request);
    if (response.status === 401 && session.value?.docmill === docmill) signOut('refused');
    return response;
  }
  // A person waits for the answer: a limit is shown at once, not after the waits of the client.
  const key = await docmill.account.key({ maxRetries: 0 });
  sessionStorage.setItem(storageName, apiKey);
  session.value = { docmill, key };
}

export function signOut(reason: SignedOutReason = 'chosen'): void {
  sessionStorage.removeItem(storageName);
  signedOutReason.value = reason;
  session.value = undefined;
}

/** Replaces the session. The page is loaded again: nothing of the account before is left on it. */
export function switchTo(apiKey: string): void {
  sessionStorage.setItem(storageName, apiKey);
  location.replace(`${consolePath}/`);
}

/**
 * What a key is, without signing in.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it does not answer
 */
export async function describeKey(apiKey: string, signal: AbortSignal): Promise<Session['key']> {
  return await new Docmill({ apiKey, baseUrl: serviceUrl }).account.key({ maxRetries: 0, signal });
}

/** The key of this tab, from before the page was loaded again. */
export function storedKey(): string | undefined {
  return sessionStorage.getItem(storageName) ?? undefined;
}
