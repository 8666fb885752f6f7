import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { writeDraft } from '../session/drafts.ts';
import type { DataState } from './data-state.ts';

/**
 * Remembers the data in this tab, so that it survives a reload and a refused key. The example needs no memory. Returns
 * whether the data is remembered: very large data is not.
 */
export function useDraft(accountId: string | undefined, templateId: string, data: DataState, example: string): boolean {
  const [isRemembered, setIsRemembered] = useState(true);
  useEffect(() => {
    if (accountId === undefined) return;
    return effect(() => {
      const text = data.text.value;
      setIsRemembered(writeDraft(accountId, templateId, text === example ? undefined : text));
    });
  }, [accountId, templateId, data, example]);
  return isRemembered;
}
