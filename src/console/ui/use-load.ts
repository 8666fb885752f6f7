import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** The latest value; it stays while a newer one loads, so that the page does not jump. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads a value when the page appears and when `key` changes. Aborts the request when the page is left. */
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
    // An error next to a value stays until the next response, so that polling pages do not flicker.
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
