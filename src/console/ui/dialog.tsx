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

/** A native modal dialog, which traps the focus, closes with Escape, and restores the focus. */
export function Dialog({ title, onClose, children, isLarge = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog?.open === false) dialog.showModal();
    return () => dialog?.close();
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
