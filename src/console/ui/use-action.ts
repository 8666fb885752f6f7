import { useCallback, useRef, useState } from 'preact/hooks';

export interface Action<Parameters extends readonly unknown[]> {
  /** Starts it, unless it runs already: a second click is no second request. */
  readonly run: (...parameters: Parameters) => void;
  readonly isBusy: boolean;
  /** Why the last run failed; undefined once it is started again. */
  readonly error: unknown;
  /** Forgets the error. */
  readonly reset: () => void;
}

/** What a person starts, such as with a button: whether it runs, and why it failed. */
export function useAction<Parameters extends readonly unknown[]>(
  act: (...parameters: Parameters) => Promise<void>,
): Action<Parameters> {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false });
  const isRunning = useRef(false);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback((...parameters: Parameters): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true });
    const end = (next: typeof state): void => {
      isRunning.current = false;
      setState(next);
    };
    latest.current(...parameters).then(
      () => end({ isBusy: false }),
      (error: unknown) => end({ isBusy: false, error }),
    );
  }, []);
  const reset = useCallback(() => setState(({ isBusy }) => ({ isBusy })), []);
  return { run, isBusy: state.isBusy, error: state.error, reset };
}
