import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';

export function CopyButton({ text, label = shellTexts.copy }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <Button variant="quiet" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? shellTexts.copied : label}</span>
    </Button>
  );
}
