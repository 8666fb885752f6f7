import type { components, Docmill } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDocmill } from '../session/session.ts';

export type Statistics = components['schemas']['TemplateStatistics'];

/** The API's limit. */
const maxIds = 50;
export const statisticsDays = 30;

/**
 * The last use and health of templates by id, loaded once each; null if they could not be loaded. They are optional: a
 * list is shown without them.
 */
export function useStatistics(ids: readonly string[]): ReadonlyMap<string, Statistics | null> {
  const docmill = useDocmill();
  const [known, setKnown] = useState<ReadonlyMap<string, Statistics | null>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const missing = ids.filter((id) => !asked.current.has(id));
    for (const id of missing) asked.current.add(id);
    const load = async (): Promise<void> => {
      const found = await readAll(docmill, missing);
      setKnown((before) => new Map([...before, ...found.map((one) => [one.templateId, one] as const)]));
    };
    load().catch(() => {
      for (const id of missing) asked.current.delete(id);
      setKnown((before) => new Map([...before, ...missing.map((id) => [id, null] as const)]));
    });
  }, [ids.join()]);
  return known;
}

async function readAll(docmill: Docmill, ids: readonly string[]): Promise<Statistics[]> {
  const found: Statistics[] = [];
  for (let from = 0; from < ids.length; from += maxIds) {
    const some = ids.slice(from, from + maxIds);
    found.push(...(await docmill.templates.statistics(some, { days: statisticsDays })));
  }
  return found;
}
