import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { buildData, type RowPlan } from '../mapping/build-row.ts';
import type { BatchOptions } from './output-form-state.ts';

const typingMs = 500;
const dotsPerInch = 110;

interface RowPreviewProps {
  readonly templateId: string;
  readonly file: InspectedFile;
  readonly plan: RowPlan;
  readonly output: BatchOptions['output'];
}

/** The pages of the first rows, one after the other, as the batch will make them. */
export function RowPreview({ templateId, file, plan, output }: RowPreviewProps) {
  const docmill = useDocmill();
  const [index, setIndex] = useState(0);
  const [page, setPage] = useState(1);
  const row = file.firstRows[index];
  const data = row === undefined ? undefined : buildData(plan, row);
  const text = useSettled(JSON.stringify({ data, output: previewOutput(output), page }));
  const { value, error, isLoading, reload } = useLoad(async (signal) => {
    if (data === undefined) return undefined;
    const preview = { format: 'png', page, dpi: dotsPerInch } as const;
    const request = { templateId, data, output: previewOutput(output), preview };
    const { bytes, contentType, pageCount } = await docmill.templates.preview(request, { signal });
    return { pageCount, picture: new Blob([bytes], { type: contentType }) };
  }, text);
  const picture = useLatest(useObjectUrl(value?.picture));
  const pageCount = useLatest(value?.pageCount) ?? 1;
  const choose = (next: number): void => {
    setIndex(next);
    setPage(1);
  };
  return (
    <section class="row-preview" aria-label={batchTexts.previewTitle}>
      <div class="preview-bar">
        <IconButton
          label={batchTexts.previousRow}
          icon={<ChevronLeft />}
          disabled={index === 0}
          onClick={() => choose(index - 1)}
        />
        <span aria-live="polite">{batchTexts.rowOf(index + 1, file.rowCount)}</span>
        <IconButton
          label={batchTexts.nextRow}
          icon={<ChevronRight />}
          disabled={index + 1 >= file.firstRows.length}
          onClick={() => choose(index + 1)}
        />
      </div>
      {data === undefined ? (
        <p class="note warn">{batchTexts.noPreviewData}</p>
      ) : error !== undefined ? (
        <ErrorNote error={error} onRetry={reload} />
      ) : (
        <div class="row-picture" aria-busy={isLoading}>
          {picture !== undefined && <img src={picture} alt={batchTexts.previewAlt(index + 1, page)} />}
          {isLoading && (
            <p class="row-picture-status" role="status">
              {batchTexts.previewing}
            </p>
          )}
        </div>
      )}
      {pageCount > 1 && (
        <div class="preview-bar small">
          <IconButton
            label={batchTexts.previousPage}
            icon={<ChevronLeft />}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          />
          <span aria-live="polite">{batchTexts.pageOf(page, pageCount)}</span>
          <IconButton
            label={batchTexts.nextPage}
            icon={<ChevronRight />}
            disabled={page >= pageCount}
            onClick={() => setPage(page + 1)}
          />
        </div>
      )}
      {data !== undefined && (
        <details class="row-data">
          <summary>{batchTexts.rowData}</summary>
          <pre>{JSON.stringify(data, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}

/** Previews have no e-mail and no protection. */
function previewOutput(output: BatchOptions['output']) {
  const { email: _email, filename: _filename, pdf, ...rest } = output ?? {};
  if (pdf === undefined || pdf === null) return rest;
  const { password: _password, permissions: _permissions, ...shown } = pdf;
  return Object.keys(shown).length === 0 ? rest : { ...rest, pdf: shown };
}

/** The value once it has not changed for a moment: previews are not made while somebody types. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The last value that was there, so that nothing jumps while the next one is loaded. */
function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value);
  useEffect(() => {
    if (value !== undefined) setLatest(value);
  }, [value]);
  return value ?? latest;
}

/** A URL of bytes inside of this page, for as long as they are shown. */
function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return;
    const next = URL.createObjectURL(content);
    setUrl((before) => {
      if (before !== undefined) URL.revokeObjectURL(before);
      return next;
    });
  }, [content]);
  useEffect(
    () => () =>
      setUrl((last) => {
        if (last !== undefined) URL.revokeObjectURL(last);
        return undefined;
      }),
    [],
  );
  return url;
}
