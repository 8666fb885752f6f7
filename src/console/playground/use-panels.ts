import { useState } from 'preact/hooks';

export const panels = ['form', 'json', 'tags', 'options'] as const;
type Panel = (typeof panels)[number];

const storageName = 'docmill.playground.panels';
const all: ReadonlySet<string> = new Set(panels);

/** The panels shown next to the preview; remembered for the tab. */
export function usePanels(): { shown: ReadonlySet<Panel>; toggle: (panel: Panel) => void } {
  const [shown, setShown] = useState(storedPanels);
  const toggle = (panel: Panel): void => {
    const next = new Set(shown);
    if (!next.delete(panel)) next.add(panel);
    setShown(next);
    try {
      sessionStorage.setItem(storageName, [...next].join(','));
    } catch {
      // Storage is full or disabled: the choice lasts until the page is closed.
    }
  };
  return { shown, toggle };
}

function storedPanels(): ReadonlySet<Panel> {
  try {
    const stored = sessionStorage.getItem(storageName);
    if (stored !== null) return new Set(stored.split(',').filter((name): name is Panel => all.has(name)));
  } catch {
    // Treated as if nothing were stored.
  }
  // Shows the form and the JSON side by side if there is room for both and the pages.
  return new Set(innerWidth >= 1600 ? ['form', 'json'] : ['form']);
}
