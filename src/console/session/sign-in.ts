import { ConnectionError, Docmill } from '@docmill/client';
import { consolePath, serviceUrl } from './addresses.ts';
import { keepDraftsOf } from './drafts.ts';
import { accountId, type Person, type Session, type SignedOutReason, session, signedOutReason } from './session.ts';

const storageName = 'docmill.key';
/** No form or link of another site can send it. */
const sessionHeader = 'Docmill-Session';
/** Another tab may sign somebody else in. Then the service refuses the requests of this one. */
const personHeader = 'Docmill-Person';
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

/**
 * Signs this tab in with the session of a person, which a cookie holds. False if there is none.
 *
 * @throws ApiError when the service refuses it, ConnectionError when it is unreachable
 */
export async function signInAsPerson(): Promise<boolean> {
  const person = await findPerson();
  if (person === undefined) return false;
  const { keyId: personId } = person;
  const docmill = new Docmill({ apiKey: 'session', baseUrl: serviceUrl, fetch: fetchAsPerson });
  async function fetchAsPerson(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
    const headers = new Headers(init?.headers);
    headers.delete('Authorization');
    headers.set(sessionHeader, 'console');
    headers.set(personHeader, personId);
    const response = await fetch(address, { ...init, headers });
    if (response.status === 401 && session.value?.docmill === docmill) signOut('ended');
    return response;
  }
  const key = await docmill.account.key({ maxRetries: 0 });
  sessionStorage.removeItem(signedOutName);
  session.value = { docmill, key, person };
  keepDraftsOf(accountId.value);
  return true;
}

/** The person whose session this browser has. */
async function findPerson(): Promise<Person | undefined> {
  const response = await fetch(`${serviceUrl}/console/sign-in/session`, {
    headers: { [sessionHeader]: 'console' },
  }).catch((cause: unknown) => {
    throw new ConnectionError('The service does not answer.', { cause });
  });
  if (!response.ok) throw new ConnectionError('The service does not answer.');
  const { person } = (await response.json()) as { readonly person: Person | null };
  return person ?? undefined;
}

/** Ends the session of a person, or all of their sessions. */
export async function endSession(where: 'here' | 'everywhere'): Promise<void> {
  const path = where === 'here' ? 'sign-out' : 'sign-out-everywhere';
  const personId = session.value?.person?.keyId;
  const headers = { [sessionHeader]: 'console', ...(personId !== undefined && { [personHeader]: personId }) };
  const response = await fetch(`${serviceUrl}/console/sign-in/${path}`, { method: 'POST', headers }).catch(
    (cause: unknown) => {
      throw new ConnectionError('The service does not answer.', { cause });
    },
  );
  // 401: it has ended already.
  if (!response.ok && response.status !== 401) throw new ConnectionError('The service does not answer.');
  signOut();
}

/** Lets this tab take over a session again. */
export function forgetSignedOut(): void {
  sessionStorage.removeItem(signedOutName);
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
