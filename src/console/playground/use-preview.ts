import type { Docmill } from '@docmill/client';
import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { parseExactly } from '../json-editor/parse-data.ts';
import type { DataState } from './data-state.ts';
import { createLivePreview, type PreviewState } from './live-preview.ts';
import type { PlaygroundTemplate } from './load-template.ts';
import { toPreviewOutput } from './requests.ts';

interface ShownPages {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pageCount: number;
}

/** Keeps a preview in step with the data. Invalid text is not sent, and the previous pages stay. */
export function usePreview(
  docmill: Docmill,
  { id, version, syntax }: Pick<PlaygroundTemplate, 'id' | 'version' | 'syntax'>,
  /** The file that is previewed instead of the template. */
  file: Blob | undefined,
  data: DataState,
  options: DataState,
): { state: PreviewState; pages: ShownPages | undefined } {
  const [state, setState] = useState<PreviewState>({ kind: 'idle' });
  const [pages, setPages] = useState<ShownPages>();
  useEffect(() => {
    const live = createLivePreview<{ data: string; output: ReturnType<typeof toPreviewOutput> }>({
      render: (input, signal) =>
        file === undefined
          ? docmill.templates.preview(
              { templateId: id, version: version ?? null, data: parseExactly(input.data), output: input.output },
              { signal, maxRetries: 0 },
            )
          : docmill.templates.previewFile(
              file,
              { data: parseExactly(input.data), output: input.output },
              { ...syntax, signal, maxRetries: 0 },
            ),
      onState: (next) => {
        setState(next);
        if (next.kind === 'shown') setPages({ bytes: next.preview.bytes, pageCount: next.preview.pageCount });
      },
    });
    let isFirst = true;
    let lastOutput = '';
    let lastData: unknown;
    const stop = effect(() => {
      // Depends on the value, not the text, because white space does not change the pages.
      const value = data.value.value;
      const output = toPreviewOutput(options.value.value);
      const outputText = JSON.stringify(output);
      if (data.problem.value !== undefined) return;
      if (!isFirst && value === lastData && outputText === lastOutput) return;
      [lastData, lastOutput] = [value, outputText];
      const input = { data: data.text.peek(), output };
      if (isFirst) live.renderNow(input);
      else live.request(input);
      isFirst = false;
    });
    return () => {
      stop();
      live.close();
    };
  }, [docmill, id, version, syntax, file, data, options]);
  return { state, pages };
}
