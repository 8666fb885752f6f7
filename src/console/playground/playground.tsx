import './playground.css';
import type { components, Docmill } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createLivePreview, type PreviewState } from './live-preview.ts';
import { PreviewPane } from './preview-pane.tsx';

type PreviewRequest = components['schemas']['PreviewRequest'];

interface PlaygroundProps {
  readonly docmill: Docmill;
  readonly templateId: string;
  /** Undefined for the current one. */
  readonly version: number | undefined;
  readonly example: object;
}

/** A template with data: what it becomes, while the data is typed. */
export function Playground({ docmill, templateId, version, example }: PlaygroundProps) {
  const [state, setState] = useState<PreviewState>({ kind: 'idle' });
  const shown = useRef<{ bytes: Uint8Array<ArrayBuffer>; pageCount: number }>();
  if (state.kind === 'shown') shown.current = { bytes: state.preview.bytes, pageCount: state.preview.pageCount };
  useEffect(() => {
    const live = createLivePreview<PreviewRequest>({
      render: (request, signal) => docmill.templates.preview(request, { signal, maxRetries: 0 }),
      onState: setState,
    });
    const data = example as PreviewRequest['data'];
    live.renderNow({ templateId, ...(version !== undefined && { version }), data });
    return () => live.close();
  }, [docmill, templateId, version, example]);
  return (
    <div class="playground">
      <PreviewPane state={state} bytes={shown.current?.bytes} pageCount={shown.current?.pageCount ?? 0} />
    </div>
  );
}
