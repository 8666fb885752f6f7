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

/** The shown entry of the browser's history; its address alone in a browser without the Navigation API. */
export const historyKey = (): string => window.navigation?.currentEntry?.key ?? location.href;

/** Whether Back or Forward led to the shown page. */
export const isReturned = (): boolean => isBack;
