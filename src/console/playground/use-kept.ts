import { useEffect, useState } from 'preact/hooks';
import { type KeptData, listKept } from '../session/kept-data.ts';

/** The data kept for a template, which other tabs may change. */
export function useKept(
  accountId: string,
  templateId: string,
): { readonly kept: readonly KeptData[]; readonly refresh: () => void } {
  const read = () => listKept(accountId, templateId);
  const [kept, setKept] = useState(read);
  const refresh = (): void => setKept(read());
  useEffect(() => {
    refresh();
    // The browser dispatches this event only for changes of other tabs.
    addEventListener('storage', refresh);
    return () => removeEventListener('storage', refresh);
  }, [accountId, templateId]);
  return { kept, refresh };
}
