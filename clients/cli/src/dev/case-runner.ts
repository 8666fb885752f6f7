import { randomBytes } from 'node:crypto';
import type { CaseState, Problem, RenderedPages } from './messages.ts';
import type { Outcome } from './render-case.ts';

/** The input of a render. `fingerprint` changes whenever any of it does. */
export interface ReadCase {
  readonly fingerprint: string;
  readonly dataVersion: string | null;
  readonly render: (signal: AbortSignal) => Promise<Outcome>;
}

type ShownState = Omit<CaseState, 'template' | 'name' | 'dataFile'>;

export interface CaseRunner {
  readonly state: () => ShownState;
  /** Renders the newest files after the current render. `isForced` renders even if nothing has changed. */
  readonly request: (isForced?: boolean) => void;
  /** The PDF of a render; undefined if it is no longer kept. */
  readonly pdf: (id: string) => Uint8Array | undefined;
  /** Stops the current render. */
  readonly stop: () => Promise<void>;
}

/** The pause after a failed connection doubles up to the maximum. */
const [firstPauseMs, maxPauseMs] = [500, 8_000];
/** A page may still be loading the previous PDF. */
const keptPdfs = 2;

/**
 * Renders one case on request: one render at a time, and the newest files win. It waits and retries while the service
 * is rate-limited or unreachable. `publish` receives each new state.
 */
export function createCaseRunner(
  read: (signal: AbortSignal) => Promise<ReadCase>,
  publish: (state: ShownState) => void,
): CaseRunner {
  const controller = new AbortController();
  const { signal } = controller;
  const pdfs = new Map<string, Uint8Array>();
  let state: ShownState = {
    status: 'rendering',
    message: null,
    retryInMs: null,
    problems: [],
    warnings: [],
    pages: null,
    dataVersion: null,
  };
  let isRequested = false;
  let isForced = false;
  let settled: string | undefined;
  let loop: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  const set = (changes: Partial<ShownState>) => {
    if (signal.aborted) return;
    state = { ...state, message: null, retryInMs: null, ...changes };
    publish(state);
  };

  const settle = (outcome: Exclude<Outcome, { kind: 'waiting' }>, dataVersion: string | null) => {
    if (outcome.kind === 'failed') {
      set({ status: 'failed', problems: outcome.problems, warnings: [], dataVersion });
      return;
    }
    const { pdf, pageCount, durationMs, warnings } = outcome;
    const pages: RenderedPages = { id: randomBytes(12).toString('hex'), pageCount, durationMs };
    pdfs.set(pages.id, pdf);
    const [oldest] = pdfs.keys();
    if (pdfs.size > keptPdfs && oldest !== undefined) pdfs.delete(oldest);
    set({ status: 'shown', problems: [], warnings, pages, dataVersion });
  };

  /** A pause that ends with `stop` and, if it can be woken, with a request. */
  const wait = (ms: number, canWake: boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      if (canWake) wake = end;
    });

  const run = async () => {
    let pauseMs = firstPauseMs;
    while (isRequested && !signal.aborted) {
      isRequested = false;
      const mustRender = isForced;
      isForced = false;
      const files = await readSafely(read, signal);
      if ('problems' in files) {
        settled = undefined;
        set({ status: 'failed', problems: files.problems, warnings: [] });
        continue;
      }
      if (!mustRender && files.fingerprint === settled) {
        // The pages are still there; only the final status may not have been reported yet.
        if (state.status === 'rendering') set({ status: state.problems.length > 0 ? 'failed' : 'shown' });
        continue;
      }
      if (state.status !== 'offline') set({ status: 'rendering', dataVersion: files.dataVersion });
      const outcome = await files.render(signal);
      if (outcome.kind !== 'waiting') {
        settled = files.fingerprint;
        pauseMs = firstPauseMs;
        settle(outcome, files.dataVersion);
        continue;
      }
      isRequested = true;
      isForced = mustRender;
      const { message, retryAfterMs } = outcome;
      const ms = retryAfterMs ?? pauseMs;
      if (retryAfterMs === undefined) pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      set({ status: retryAfterMs === undefined ? 'offline' : 'waiting', message, retryInMs: ms });
      await wait(ms, retryAfterMs === undefined);
    }
  };

  const start = () => {
    loop ??= run()
      .catch((error: unknown) => {
        if (!signal.aborted) set({ status: 'failed', problems: [{ message: messageOf(error) }], warnings: [] });
      })
      .finally(() => {
        loop = undefined;
        if (isRequested && !signal.aborted) start();
      });
  };

  return {
    state: () => state,
    request(mustRender = false) {
      isRequested = true;
      isForced ||= mustRender;
      wake?.();
      start();
    },
    pdf: (id) => pdfs.get(id),
    async stop() {
      controller.abort(new Error('stopped'));
      await loop;
    },
  };
}

async function readSafely(
  read: (signal: AbortSignal) => Promise<ReadCase>,
  signal: AbortSignal,
): Promise<ReadCase | { readonly problems: readonly Problem[] }> {
  try {
    return await read(signal);
  } catch (error) {
    return { problems: [{ message: messageOf(error) }] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
