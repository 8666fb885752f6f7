import { signal } from '@preact/signals';
import { storedKey } from './sign-in.ts';

/** The key of a followed link, until the user decides what to do with it. */
export const linkedKey = signal<string | undefined>(undefined);

/**
 * Removes the key from the address, `#key=dts_…`: now, and whenever such an address is pasted while the page is open.
 */
export function watchLinkedKeys(): void {
  takeLinkedKey();
  addEventListener('hashchange', takeLinkedKey);
}

export function forgetLinkedKey(): void {
  linkedKey.value = undefined;
}

function takeLinkedKey(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  // Runs first, so that the key never stays in the address or the history, whatever happens next.
  history.replaceState(history.state, '', location.pathname + location.search);
  linkedKey.value = key === '' || key === storedKey() ? undefined : key;
}
