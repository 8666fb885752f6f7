import { useEffect, useRef } from 'preact/hooks';
import { openEntries } from '../shell/navigation.ts';
import { hasSingleKeys } from './single-keys.ts';

/** The letters that follow `g`, by the page that they open. */
const letters: Readonly<Record<string, string>> = {
  '/templates': 't',
  '/dictionary': 'y',
  '/batches': 'b',
  '/documents': 'd',
  '/deliveries': 'e',
  '/webhooks': 'w',
  '/usage': 'u',
  '/keys': 'k',
};

/** The pages that the key of this tab may open and that have a shortcut. */
export const pageShortcuts = () =>
  openEntries().flatMap(({ path, label }) => {
    const letter = letters[path];
    return letter === undefined ? [] : [{ path, label, letter }];
  });

const isMac = /^(Mac|iP)/.test(navigator.platform);
/** On a Mac, text fields use Ctrl+K themselves. */
export const paletteKey = isMac ? '⌘K' : 'Ctrl+K';

const sequenceMs = 2_000;

interface ShortcutActions {
  readonly onPalette: () => void;
  readonly onHelp: () => void;
  readonly onPage: (path: string) => void;
}

/** Listens for the shortcuts. Single keys are ignored while the user types, and while a dialog is open. */
export function useShortcuts(actions: ShortcutActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent): void => {
      const { onPalette, onHelp, onPage } = latest.current;
      if ((isMac ? event.metaKey : event.ctrlKey) && event.key.toLowerCase() === 'k' && !event.shiftKey) {
        event.preventDefault();
        onPalette();
        return;
      }
      if (!hasSingleKeys.value || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return;
      const isSecond = event.timeStamp - startedAt < sequenceMs;
      startedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isSecond ? pageShortcuts().find(({ letter }) => letter === event.key) : undefined;
      if (page !== undefined) onPage(page.path);
      else if (event.key === '?') onHelp();
      else if (event.key === '/') focusSearch(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isElsewhere({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
