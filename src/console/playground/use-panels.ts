import { useState } from 'preact/hooks';

export type Panel = 'form' | 'json' | 'tags' | 'options' | 'file';

const storageName = 'docmill.playground.panels';
const all: ReadonlySet<string> = new Set(['form', 'json', 'tags', 'options', 'file']);

/** Which panels are beside the preview; kept for the tab. */
export function usePanels(): { shown: ReadonlySet<Panel>; toggle: (panel: Panel) => void } {
  const [shown, setShown] = useState(storedPanels);
  const toggle = (panel: Panel): void => {
    const next = new Set(shown);
    if (!next.delete(panel)) next.add(panel);
    setShown(next);
    try {
      sessionStorage.setItem(storageName, [...next].join(','));
    } catch {
      // Full or switched off: the choice lasts as long as the page.
    }
  };
  return { shown, toggle };
}

function storedPanels(): ReadonlySet<Panel> {
  try {
    const stored = sessionStorage.getItem(storageName);
    if (stored !== null) return new Set(stored.split(',').filter((name): name is Panel => all.has(name)));
  } catch {
    // As if nothing were stored.
  }
  // The form and the JSON beside each other, where there is width for them and the pages.
  return new Set(innerWidth >= 1600 ? ['form', 'json'] : ['form']);
}
