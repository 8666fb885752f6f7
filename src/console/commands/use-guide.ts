import { useEffect, useState } from 'preact/hooks';
import { serviceUrl } from '../session/addresses.ts';

/** A section of the guide. */
export interface GuideSection {
  /** Relative to the root of the guide. */
  readonly url: string;
  readonly title: string;
  readonly heading: string;
}

interface GuideSearch {
  findSections(words: string): Promise<readonly GuideSection[]>;
}

interface FoundSections {
  readonly text: string;
  readonly sections: readonly GuideSection[];
}

const shown = 5;
const minSearchLength = 2;

/**
 * Sections of the guide that match the text, with the guide's own search and index. Empty while they load, and if the
 * guide is not built; everything else in the palette works without it.
 */
export function useGuide(text: string): readonly GuideSection[] {
  const [found, setFound] = useState<FoundSections>({ text: '', sections: [] });
  useEffect(() => {
    if (text.length < minSearchLength) return;
    let isCurrent = true;
    const search = async (): Promise<void> => {
      const address = `${serviceUrl}/guide/search.js`;
      const { findSections } = (await import(/* @vite-ignore */ address)) as GuideSearch;
      const sections = await findSections(text);
      if (isCurrent) setFound({ text, sections: sections.slice(0, shown) });
    };
    search().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return found.text === text ? found.sections : [];
}
