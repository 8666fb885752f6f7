import type { components, Docmill } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import { hasScope } from '../session/session.ts';

type Schemas = components['schemas'];

export interface Found {
  /** The text that was searched. While the search of a newer text runs, it is an older one. */
  readonly text: string;
  readonly templates: readonly Schemas['TemplateMetadata'][];
  readonly documents: readonly Schemas['Job'][];
}

const shown = 6;
const pauseMs = 150;
/** A search reads many documents. */
const limitMs = 5_000;
const minSearchLength = 2;

/**
 * Templates whose name contains the search text, and documents that match it; the newest of both without a search text.
 */
export function useFound(docmill: Docmill, text: string): { found: Found; isLoading: boolean; error: unknown } {
  const [found, setFound] = useState<Found>({ text, templates: [], documents: [] });
  const [isLoading, setIsLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(limitMs)]);
    setIsLoading(true);
    const load = async (): Promise<void> => {
      const name = text === '' ? undefined : text;
      const search = text.length < minSearchLength ? {} : { search: text };
      const [templates, documents] = await Promise.all([
        hasScope('templates:read') ? first(docmill.templates.list({ name, limit: shown }, { signal })) : [],
        hasScope('documents:read') && (text === '' || 'search' in search)
          ? first(docmill.jobs.list({ ...search, limit: shown }, { signal }))
          : [],
      ]);
      setFound({ text, templates, documents });
      setError(undefined);
    };
    const timer = setTimeout(
      () =>
        load()
          .catch((failure: unknown) => controller.signal.aborted || setError(failure))
          .finally(() => controller.signal.aborted || setIsLoading(false)),
      text === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [docmill, text]);
  return { found, isLoading, error };
}

async function first<T>(list: AsyncIterable<T>): Promise<readonly T[]> {
  const entries: T[] = [];
  for await (const entry of list) if (entries.push(entry) === shown) break;
  return entries;
}
