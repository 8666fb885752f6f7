import { signal } from '@preact/signals';
import { Search } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { commandTexts } from '../texts/commands.ts';
import { IconButton } from '../ui/button.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { paletteKey, useShortcuts } from './use-shortcuts.ts';

const open = signal<'palette' | 'shortcuts' | undefined>(undefined);

const close = (): void => {
  open.value = undefined;
};

/** The button of the command palette. */
export const CommandButton = () => (
  <IconButton
    label={commandTexts.open(paletteKey)}
    icon={<Search />}
    aria-haspopup="dialog"
    onClick={() => {
      open.value = 'palette';
    }}
  />
);

/** Listens for shortcuts, and shows the command palette and the list of shortcuts. */
export function CommandDialogs() {
  const [, navigate] = useLocation();
  const showShortcuts = (): void => {
    open.value = 'shortcuts';
  };
  useShortcuts({
    onPalette: () => {
      // One dialog at a time; that of a page may hold what the user typed.
      if (document.querySelector('dialog[open]') === null) open.value = 'palette';
      else if (open.value === 'palette') close();
    },
    onHelp: showShortcuts,
    onPage: navigate,
  });
  useEffect(() => close, []);
  if (open.value === 'palette') return <CommandPalette onShortcuts={showShortcuts} onClose={close} />;
  return open.value === 'shortcuts' ? <ShortcutsDialog onClose={close} /> : null;
}
