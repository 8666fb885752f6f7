import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** As wide as the window allows, for pages and code. */
  readonly isLarge?: boolean;
}

/** A modal dialog of the browser: it keeps the focus inside, closes with Escape, and returns the focus. */
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
        // The browser also reports the closing that follows the removal, a frame later: the next dialog may be open by then.
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
