import { useEffect, useRef, useState } from 'preact/hooks';

const maxPauseMs = 60_000;

interface PollingOptions {
  readonly everyMs: number;
  /** Polls only while true. */
  readonly isOn?: boolean | undefined;
  /** Starts without an initial pause. */
  readonly startsAtOnce?: boolean;
}

/**
 * Repeats an action while the page is visible, one run at a time. A failure doubles the pause, up to a minute: the
 * page keeps its last state and the next run catches up. Returns whether the last run failed.
 */
export function usePolling(
  act: (signal: AbortSignal) => Promise<void>,
  { everyMs, isOn = true, startsAtOnce = false }: PollingOptions,
): boolean {
  const latest = useRef(act);
  latest.current = act;
  const [isFailing, setIsFailing] = useState(false);
  useEffect(() => {
    setIsFailing(false);
    if (!isOn) return;
    const controller = new AbortController();
    let pauseMs = everyMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (): void => {
      timer = setTimeout(() => void round(), pauseMs);
    };
    const round = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        try {
          await latest.current(controller.signal);
          pauseMs = everyMs;
          setIsFailing(false);
        } catch {
          if (controller.signal.aborted) return;
          setIsFailing(true);
          pauseMs = Math.min(pauseMs * 2, maxPauseMs);
        }
      }
      if (!controller.signal.aborted) plan();
    };
    if (startsAtOnce) void round();
    else plan();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [everyMs, isOn, startsAtOnce]);
  return isFailing;
}
