import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { useAction } from './use-action.ts';

const shownMs = 2_000;

/** Copies text. If the browser does not allow it, as in pages served without HTTPS, the user copies it by hand. */
export function CopyButton({ text, label = shellTexts.copy }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const { run, error } = useAction(async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), shownMs);
  });
  const shown = isCopied ? shellTexts.copied : error === undefined ? label : shellTexts.notCopied;
  return (
    <Button variant="quiet" icon={isCopied ? <Check /> : <Copy />} onClick={() => run()}>
      <span aria-live="polite">{shown}</span>
    </Button>
  );
}
