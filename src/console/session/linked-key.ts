import { signal } from '@preact/signals';
import { storedKey } from './sign-in.ts';

/** The key of a link that was followed, until a person says what to do with it. */
export const linkedKey = signal<string | undefined>(undefined);

/** Takes the key out of the address, `#key=dts_…`: now, and when such an address is pasted while the page is open. */
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
  // Before anything else: whatever happens then, the key is neither in the address nor in the history.
  history.replaceState(history.state, '', location.pathname + location.search);
  linkedKey.value = key === '' || key === storedKey() ? undefined : key;
}
