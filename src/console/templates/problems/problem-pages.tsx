import { lazy, Suspense } from 'preact/compat';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasScope, useDocmill } from '../../session/session.ts';
import { problemTexts } from '../../texts/templates.ts';
import { Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { drawProblems } from './draw-problems.ts';
import type { Problem } from './problem.ts';
import { ProblemList } from './problem-list.tsx';
import { indexOfMark, markLabel, toMarks } from './problem-marks.ts';

const PdfViewer = lazy(() => import('../../pdf/pdf-viewer.tsx'));

interface ProblemPagesProps {
  readonly file: File;
  readonly problems: readonly Problem[];
}

/** The pages of a file with each error marked, next to the list of errors. */
export function ProblemPages({ file, problems }: ProblemPagesProps) {
  const docmill = useDocmill();
  const canDraw = hasScope('generate');
  const { value, isLoading } = useLoad(
    async (signal) => (canDraw ? await drawProblems(docmill, file, problems, signal) : undefined),
    `${file.name} ${file.size} ${file.lastModified} ${problems.length}`,
  );
  const [selected, setSelected] = useState<number>();
  const frame = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => toMarks(problems, value?.places ?? []), [problems, value]);
  const stopWaiting = useRef<() => void>();
  useEffect(() => () => stopWaiting.current?.(), []);
  const select = (index: number): void => {
    setSelected(index);
    stopWaiting.current?.();
    if (frame.current !== null) stopWaiting.current = focusMark(frame.current, markLabel(problems, index));
  };
  return (
    <div class="problem-pages">
      <div class="problem-side">
        <h3>{countText(problems)}</h3>
        <ProblemList
          problems={problems}
          pages={value?.places.map((place) => place?.page)}
          selected={selected}
          onSelect={select}
        />
      </div>
      <div class="problem-preview" ref={frame}>
        {isLoading && (
          <div>
            <p class="muted small">{problemTexts.drawing}</p>
            <Skeleton lines={6} />
          </div>
        )}
        {!isLoading && value === undefined && <p class="muted">{problemTexts.noPages}</p>}
        {value !== undefined && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <PdfViewer
              bytes={value.pdf}
              label={problemTexts.onPages}
              totalPages={value.pageCount}
              marks={marks}
              onMark={(mark) => setSelected(indexOfMark(problems, mark))}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

function countText(problems: readonly Problem[]): string {
  const mistakes = problems.filter(({ kind }) => kind === 'mistake').length;
  return mistakes > 0 ? problemTexts.mistakes(mistakes) : problemTexts.warnings(problems.length);
}

/** Focuses a mark as soon as the pages show it, and again after a redraw. Returns a function that stops it. */
function focusMark(frame: HTMLElement, label: string): () => void {
  let last: HTMLElement | undefined;
  const focus = (): void => {
    if (last?.isConnected === true) return;
    const marks = [...frame.querySelectorAll<HTMLElement>('.pdf-mark')];
    last = marks.find((button) => button.getAttribute('aria-label') === label);
    last?.scrollIntoView({ block: 'center' });
    last?.focus({ preventScroll: true });
  };
  focus();
  const observer = new MutationObserver(focus);
  observer.observe(frame, { childList: true, subtree: true });
  return () => observer.disconnect();
}
