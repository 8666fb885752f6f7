import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Uses the full width of the window, for pages and code. */
  readonly isLarge?: boolean;
}

const fields = '.dialog-content :is(input:not([type="hidden"], :disabled), select, textarea, [contenteditable="true"])';

/**
 * A native modal dialog, which traps the focus and closes with Escape. The focus moves to its first field, or to its
 * first button if it has none. It returns to the control that opened the dialog; if that is gone, such as the menu of a
 * deleted row, to the content of the page, so that the keyboard continues there.
 */
export function Dialog({ title, onClose, children, isLarge = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    const opener = document.activeElement;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>(fields)?.focus({ preventScroll: true });
    return () => {
      dialog.close();
      // Runs after the page has been drawn again, because the action may have removed the opener.
      requestAnimationFrame(() => {
        const { activeElement, body } = document;
        if (document.querySelector('dialog[open]') !== null || (activeElement !== null && activeElement !== body))
          return;
        const isUsable = opener instanceof HTMLElement && opener !== body && opener.isConnected;
        if (isUsable) opener.focus({ preventScroll: true });
        if (document.activeElement === null || document.activeElement === body)
          document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isLarge ? 'dialog large' : 'dialog'}
      aria-labelledby={titleId}
      onClose={() => {
        // The browser also reports the close caused by removal, a frame later, when the next dialog may be open.
        if (element.current !== null) onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton label={shellTexts.close} icon={<X />} onClick={onClose} />
      </header>
      <div class="dialog-content">{children}</div>
    </dialog>
  );
}
