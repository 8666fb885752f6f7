import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** The latest value; it stays while a newer one is loaded, so that a page does not jump. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads a value when the page appears and when `key` changes. The request of a page that was left is aborted. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const controller = new AbortController();
    // Beside a value, an error stays until the next answer: a page that asks again and again does not flicker.
    setState((before) => {
      if (before.key !== key) return { key, isLoading: true };
      return { ...before, isLoading: true, ...(before.value === undefined && { error: undefined }) };
    });
    latest.current(controller.signal).then(
      (value) => controller.signal.aborted || setState({ key, value, isLoading: false }),
      (error: unknown) =>
        controller.signal.aborted || setState((before) => ({ ...before, key, error, isLoading: false })),
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { value: state.key === key ? state.value : undefined, error: state.error, isLoading: state.isLoading, reload };
}
