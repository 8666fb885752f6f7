let isBack = false;
addEventListener('popstate', () => {
  isBack = true;
});
// wouter dispatches these when it changes the address.
for (const change of ['pushState', 'replaceState']) {
  addEventListener(change, () => {
    isBack = false;
  });
}

/** The key of the current history entry; just its address in browsers without the Navigation API. */
export const historyKey = (): string => window.navigation?.currentEntry?.key ?? location.href;

/** Whether the current page was reached with Back or Forward. */
export const isReturned = (): boolean => isBack;
