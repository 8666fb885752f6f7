import { ConnectionError } from '@docmill/client';
import { useEffect, useState } from 'preact/hooks';
import PdfViewer from '../pdf/pdf-viewer.tsx';
import { playgroundTexts } from '../texts/playground.ts';
import { formatDuration } from '../ui/format.ts';
import type { PreviewState } from './live-preview.ts';
import { TemplateMistakes } from './template-mistakes.tsx';

interface PreviewPaneProps {
  readonly state: PreviewState;
  /** The pages of the last successful preview; they stay while newer ones are rendered. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly pageCount: number;
  readonly serviceUrl: string;
}

export function PreviewPane({ state, bytes, pageCount, serviceUrl }: PreviewPaneProps) {
  const status = useStatus(state);
  return (
    <div class="preview-pane">
      <p class="preview-status small" role="status" data-state={state.kind}>
        {status}
      </p>
      {state.kind === 'failed' && <TemplateMistakes error={state.error} serviceUrl={serviceUrl} />}
      <PdfViewer
        bytes={bytes}
        totalPages={pageCount}
        label={playgroundTexts.preview}
        isOutdated={state.kind === 'failed'}
        empty={<p class="muted">{playgroundTexts.previewEmpty}</p>}
      />
    </div>
  );
}

/** The status line above the pages; it counts down the seconds of a pause. */
function useStatus(state: PreviewState): string {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    setNowMs(Date.now());
    if (state.kind !== 'waiting') return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [state]);
  switch (state.kind) {
    case 'shown':
      return playgroundTexts.shown(state.preview.pageCount, formatDuration(state.durationMs));
    case 'failed':
      return playgroundTexts.failed;
    case 'waiting': {
      const seconds = Math.max(1, Math.ceil((state.untilMs - nowMs) / 1_000));
      return state.error instanceof ConnectionError
        ? playgroundTexts.offline(seconds)
        : playgroundTexts.waiting(seconds);
    }
    default:
      return playgroundTexts.states[state.kind];
  }
}
