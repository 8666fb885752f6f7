export interface TimedStart<S> {
  /** Resolves once the process is usable. Rejects and cleans up soon after the signal aborts. */
  readonly start: (signal: AbortSignal) => Promise<S>;
  readonly startTimeoutMs: number;
  /** What to do when a start takes longer; part of the error message. */
  readonly startTimeoutHint?: string | undefined;
}

/** Starts a process; the start is aborted at its time limit and when `closing` aborts. */
export async function startInTime<S>(
  { start, startTimeoutMs, startTimeoutHint }: TimedStart<S>,
  closing: AbortSignal,
): Promise<S> {
  const late = [`not within ${startTimeoutMs} ms`, startTimeoutHint].filter(Boolean).join(': ');
  const controller = new AbortController();
  const onClose = (): void => controller.abort(closing.reason);
  const timer = setTimeout(() => controller.abort(new Error(late)), startTimeoutMs);
  closing.addEventListener('abort', onClose);
  try {
    return await start(controller.signal);
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', onClose);
  }
}
