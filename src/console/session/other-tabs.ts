import { consolePath } from './addresses.ts';
import { type Session, session, signedOutReason } from './session.ts';
import { signOut, storedKey } from './sign-in.ts';

/** Tabs of this origin send these to each other; they are never stored. */
type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'offer'; readonly apiKey: string }
  | { readonly kind: 'end'; readonly keyId: string };

const name = 'docmill.session';
/** A signed-in tab holds the lock with this prefix and the id of its key, which is not secret. */
const lockPrefix = `${name} `;
/** Longer than a background tab takes to reply. A later reply still signs in. */
const patienceMs = 3_000;

/**
 * Whether tabs may share keys. Below another path the origin belongs to another application, whose pages could ask
 * for the key as well. Locks exist only in pages served by HTTPS or from this computer.
 */
const isShared = consolePath === '/console' && isSecureContext && 'locks' in navigator;
const channel = isShared ? new BroadcastChannel(name) : undefined;
const send = (message: Message): void => channel?.postMessage(message);

/** Makes this tab offer its key to new tabs, and end its session when the user signs out in another tab. */
export function shareSession(): void {
  let last: Session | undefined;
  let release = (): void => undefined;
  session.subscribe((current) => {
    release();
    if (current === undefined && last !== undefined && signedOutReason.value === 'chosen') {
      send({ kind: 'end', keyId: last.key.id });
    }
    if (current !== undefined && current.person === undefined && isShared) release = hold(current.key.id);
    last = current;
  });
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (session.value === undefined) return;
    // The tabs of a person share a cookie, and have no key.
    const apiKey = session.value.person === undefined ? storedKey() : undefined;
    if (data.kind === 'ask' && apiKey !== undefined) send({ kind: 'offer', apiKey });
    if (data.kind === 'end' && data.keyId === session.value.key.id) signOut();
  });
}

/** Shows other tabs that this one is signed in, until the returned function is called or the tab is closed. */
function hold(keyId: string): () => void {
  let release = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks.request(`${lockPrefix}${keyId}`, { mode: 'shared' }, () => end);
  return release;
}

interface Answers {
  /** Another tab is signed in with this key. */
  readonly onKey: (apiKey: string) => void;
  /** No other tab is signed in, the others do not agree on a key, or they have not answered yet. */
  readonly onNone: () => void;
}

/** Asks the other tabs for their key, once. Several keys are a choice that only the user can make. */
export async function askOtherTabs({ onKey, onNone }: Answers): Promise<void> {
  if (channel === undefined) return onNone();
  const { held = [] } = await navigator.locks.query();
  const holders = new Set(held.flatMap((lock) => (lock.name?.startsWith(lockPrefix) ? [lock.name] : [])));
  if (holders.size !== 1) return onNone();
  const listener = ({ data }: MessageEvent<Message>): void => {
    if (data.kind !== 'offer') return;
    channel.removeEventListener('message', listener);
    clearTimeout(timer);
    if (session.value === undefined) onKey(data.apiKey);
  };
  const timer = setTimeout(onNone, patienceMs);
  channel.addEventListener('message', listener);
  send({ kind: 'ask' });
}
