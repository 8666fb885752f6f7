import { useEffect } from 'preact/hooks';
import { createSessionMemory } from '../session/session-memory.ts';
import { historyKey, isReturned } from '../ui/history-place.ts';

/** How long a page that is opened again may take to be as high as it was. */
const restoreMs = 4_000;
/** How far down, in pixels, each entry of the browser's history was read. */
const places = createSessionMemory<number>(100);

/** A new page begins at its top. Back and Forward show a page where it was, as soon as it is loaded. */
export function useKeptScroll(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    let shown = historyKey();
    let path = location.pathname;
    let stop = (): void => undefined;
    const remember = (): void => places.set(shown, scrollY);
    const change = (): void => {
      shown = historyKey();
      const isSamePage = path === location.pathname;
      path = location.pathname;
      if (isReturned()) {
        stop();
        stop = scrollWhenLoaded(places.get(shown) ?? 0);
      } else if (!isSamePage) {
        stop();
        scrollTo(0, 0);
      }
    };
    // wouter dispatches these when it changes the address.
    const changes = ['popstate', 'pushState', 'replaceState'];
    for (const name of changes) addEventListener(name, change);
    addEventListener('scroll', remember, { passive: true });
    return () => {
      stop();
      for (const name of changes) removeEventListener(name, change);
      removeEventListener('scroll', remember);
    };
  }, []);
}

/** Scrolls now and whenever the page grows, until it is where it was or the reader scrolls. Returns a function that ends it. */
function scrollWhenLoaded(top: number): () => void {
  const watcher = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 2) stop();
  });
  const stop = (): void => {
    watcher.disconnect();
    clearTimeout(timer);
    for (const name of ['wheel', 'touchmove', 'keydown']) removeEventListener(name, stop);
  };
  const timer = setTimeout(stop, restoreMs);
  for (const name of ['wheel', 'touchmove', 'keydown']) addEventListener(name, stop, { passive: true });
  watcher.observe(document.body);
  return stop;
}
