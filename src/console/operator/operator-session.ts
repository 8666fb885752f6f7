import { ApiError, DocmillAdmin } from '@docmill/client';
import { signal } from '@preact/signals';
import { consolePath, serviceUrl } from '../session/addresses.ts';
import { operatorTexts } from '../texts/operator.ts';

/** The key is only in the session storage of this tab. Other tabs ask for it again. */
const storageName = 'docmill.operator-key';

/** Undefined while nobody is signed in. */
const client = signal<DocmillAdmin>();
export const wasRefused = signal(false);

export const isSignedIn = (): boolean => client.value !== undefined;

/** The client of the signed-in operator. Pages exist only while somebody is signed in. */
export function useAdmin(): DocmillAdmin {
  if (client.value === undefined) throw new Error('No operator is signed in.');
  return client.value;
}

/**
 * Signs this tab in with an operator key. A key without the scope for a page signs in, too: the page says so.
 *
 * @throws ApiError when the service refuses the key, ConnectionError when it is unreachable
 */
export async function signIn(operatorKey: string): Promise<void> {
  const admin = new DocmillAdmin({ operatorKey, baseUrl: serviceUrl, fetch: fetchInSession });
  async function fetchInSession(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request);
    if (response.status === 401 && client.value === admin) signOut('refused');
    return response;
  }
  try {
    await admin.operations.pauses({ maxRetries: 0 });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new Error(operatorTexts.otherPort);
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  }
  sessionStorage.setItem(storageName, operatorKey);
  wasRefused.value = false;
  client.value = admin;
}

/** The key of this tab, kept across reloads. */
export const storedKey = (): string | undefined => sessionStorage.getItem(storageName) ?? undefined;

/** Ends the session. When the operator chose so, the page is loaded again, so that nothing that was read remains. */
export function signOut(reason: 'chosen' | 'refused' = 'chosen'): void {
  sessionStorage.removeItem(storageName);
  if (reason === 'chosen') location.assign(`${consolePath}/operator`);
  wasRefused.value = reason === 'refused';
  client.value = undefined;
}
