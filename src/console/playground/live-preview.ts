import { ApiError, ConnectionError, type Preview } from '@docmill/client';

export type PreviewState =
  | { readonly kind: 'idle' | 'rendering' }
  | { readonly kind: 'shown'; readonly preview: Preview; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The service refuses previews until this time, or is unreachable; the newest request is sent then. */
  | { readonly kind: 'waiting'; readonly untilMs: number; readonly error: unknown };

interface LivePreviewOptions<T> {
  /** Sends one request, without retries. */
  readonly render: (input: T, signal: AbortSignal) => Promise<Preview>;
  readonly onState: (state: PreviewState) => void;
  /** The pause after the last change before a request is sent. */
  readonly quietMs?: number;
  readonly now?: () => number;
}

export interface LivePreview<T> {
  /** Schedules a preview and replaces an earlier request that was not sent yet. */
  readonly request: (input: T) => void;
  /** Renders without the pause, for a button. */
  readonly renderNow: (input: T) => void;
  readonly close: () => void;
}

const offlineWaitMs = 3_000;
const saturatedWaitMs = 2_000;

/** Previews the data during typing: one request in flight, the newest wins, and `Retry-After` is respected. */
export function createLivePreview<T>(options: LivePreviewOptions<T>): LivePreview<T> {
  const { render, onState, quietMs = 300, now = Date.now } = options;
  const controller = new AbortController();
  let pending: { readonly input: T } | undefined;
  let isRendering = false;
  let earliestMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.max(delayMs, earliestMs - now()));
  };

  const run = async (): Promise<void> => {
    if (pending === undefined || isRendering || controller.signal.aborted) return;
    const { input } = pending;
    pending = undefined;
    isRendering = true;
    onState({ kind: 'rendering' });
    const startedMs = now();
    try {
      const preview = await render(input, controller.signal);
      if (!controller.signal.aborted) onState({ kind: 'shown', preview, durationMs: now() - startedMs });
    } catch (error) {
      if (controller.signal.aborted) return;
      const waitMs = waitAfter(error);
      if (waitMs === undefined) onState({ kind: 'failed', error });
      else {
        earliestMs = now() + waitMs;
        pending ??= { input };
        onState({ kind: 'waiting', untilMs: earliestMs, error });
      }
    } finally {
      isRendering = false;
      if (pending !== undefined && !controller.signal.aborted) schedule(0);
    }
  };

  return {
    request(input) {
      pending = { input };
      if (!isRendering) schedule(quietMs);
    },
    renderNow(input) {
      pending = { input };
      if (!isRendering) schedule(0);
    },
    close() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}

/** Undefined if the same request would fail again. */
function waitAfter(error: unknown): number | undefined {
  if (error instanceof ConnectionError) return offlineWaitMs;
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return undefined;
  return error.retryAfterMs ?? saturatedWaitMs;
}
