import { useEffect } from 'preact/hooks';
import { createSessionMemory } from '../session/session-memory.ts';
import { historyKey, isReturned } from '../ui/history-place.ts';

/** How long a reopened page may take to reach its former height. */
const restoreMs = 4_000;
/** The scroll position, in pixels, of each history entry. */
const places = createSessionMemory<number>(100);

/** Starts new pages at the top. Back and Forward restore the scroll position as soon as the page is loaded. */
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

/**
 * Scrolls now and whenever the page grows, until the position is reached or the reader scrolls. Returns a function that
 * stops it.
 */
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
