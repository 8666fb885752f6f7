import { ApiError, type Docmill } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import { listTexts } from '../texts/lists.ts';
import { hasScope, useDocmill } from './session.ts';

/** By id; null for deleted templates. */
export type TemplateNames = ReadonlyMap<string, string | null>;

const maxAtOnce = 4;
const known = new WeakMap<Docmill, Map<string, string | null>>();

/** The display name of a template: its name, a note that it was deleted, or its id while the name is unknown. */
export function shownName(names: TemplateNames, id: string): string {
  const name = names.get(id);
  return name === null ? listTexts.deletedTemplate : (name ?? id);
}

/** The names of the given templates, loaded one by one. Each is loaded once per session. */
export function useTemplateNames(ids: readonly string[]): TemplateNames {
  const docmill = useDocmill();
  const [names, setNames] = useState<TemplateNames>(() => new Map(known.get(docmill)));
  // Depends on all ids, not only unknown ones, so that a name that arrives does not restart the other requests.
  const key = hasScope('templates:read') ? [...new Set(ids)].toSorted().join() : '';
  useEffect(() => {
    if (key === '') return;
    const controller = new AbortController();
    const cache = known.get(docmill) ?? new Map<string, string | null>();
    known.set(docmill, cache);
    const queue = key.split(',').filter((id) => !cache.has(id));
    setNames(new Map(cache));
    const read = async (): Promise<void> => {
      for (let id = queue.pop(); id !== undefined && !controller.signal.aborted; id = queue.pop()) {
        const name = await readName(docmill, id, controller.signal);
        if (name === undefined) continue;
        cache.set(id, name);
        if (!controller.signal.aborted) setNames(new Map(cache));
      }
    };
    for (let reader = 0; reader < maxAtOnce; reader += 1) void read();
    return () => controller.abort();
  }, [docmill, key]);
  return names;
}

/** Undefined if it cannot be loaded now; the id is shown instead. */
async function readName(docmill: Docmill, id: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    return (await docmill.templates.get(id, { signal })).name;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? null : undefined;
  }
}
