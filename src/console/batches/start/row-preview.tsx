import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { cellTexts } from '../../texts/cells.ts';
import { IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { buildRow } from '../mapping/build-row.ts';
import type { RowPlan } from '../mapping/row-plan.ts';
import type { BatchOptions } from './output-form-state.ts';

const typingMs = 500;
const dotsPerInch = 110;

interface RowPreviewProps {
  readonly templateId: string;
  readonly file: InspectedFile;
  readonly plan: RowPlan;
  readonly output: BatchOptions['output'];
}

/** Previews the first rows, one at a time, as the batch will produce them. */
export function RowPreview({ templateId, file, plan, output }: RowPreviewProps) {
  const docmill = useDocmill();
  const [index, setIndex] = useState(0);
  const [page, setPage] = useState(1);
  const row = file.firstRows[index];
  const { data, badCells } = row === undefined ? noRow : buildRow(plan, row, index + 1);
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
      <Pager
        text={batchTexts.rowOf(index + 1, file.rowCount)}
        position={index}
        count={file.firstRows.length}
        labels={[batchTexts.previousRow, batchTexts.nextRow]}
        onChoose={choose}
      />
      {data === undefined ? (
        <p class="note warn any-text">
          {badCells.length === 0 ? batchTexts.noPreviewData : badCells.map(cellTexts.badCellOfRow).join(' ')}
        </p>
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
        <Pager
          text={batchTexts.pageOf(page, pageCount)}
          position={page - 1}
          count={pageCount}
          labels={[batchTexts.previousPage, batchTexts.nextPage]}
          onChoose={(next) => setPage(next + 1)}
        />
      )}
      {data !== undefined && (
        <details class="row-data">
          <summary>{batchTexts.rowData}</summary>
          <pre class="code-block">{JSON.stringify(data, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}

const noRow = { data: undefined, badCells: [] };

interface PagerProps {
  readonly text: string;
  /** Counted from 0. */
  readonly position: number;
  readonly count: number;
  readonly labels: readonly [previous: string, next: string];
  readonly onChoose: (position: number) => void;
}

function Pager({ text, position, count, labels: [previous, next], onChoose }: PagerProps) {
  return (
    <div class="pager">
      <IconButton
        label={previous}
        icon={<ChevronLeft />}
        disabled={position === 0}
        onClick={() => onChoose(position - 1)}
      />
      <span aria-live="polite">{text}</span>
      <IconButton
        label={next}
        icon={<ChevronRight />}
        disabled={position + 1 >= count}
        onClick={() => onChoose(position + 1)}
      />
    </div>
  );
}

/** Previews do not take e-mail, protection and files. */
function previewOutput(output: BatchOptions['output']) {
  const { email: _email, filename: _filename, pdf, xml: _xml, format, ...shown } = output ?? {};
  // An XML has no pages: those of the template are shown.
  const rest = format === undefined || format === 'xml' ? shown : { ...shown, format };
  if (pdf === undefined || pdf === null) return rest;
  const { password: _p, permissions: _r, attachments: _t, append: _a, prepend: _b, invoice: _i, ...of } = pdf;
  return Object.keys(of).length === 0 ? rest : { ...rest, pdf: of };
}

/** Debounces a value, so that no preview is requested while the user types. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The last defined value, so that the layout does not jump while the next one loads. */
function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value);
  useEffect(() => {
    if (value !== undefined) setLatest(value);
  }, [value]);
  return value ?? latest;
}

/** An object URL for bytes, for as long as they are shown. */
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
