import './pdf.css';
import { ChevronDown, ChevronUp, MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pdfTexts } from '../texts/pdf.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { type Place, pageInDirection, stepZoom, type Zoom } from './page-layout.ts';
import type { PageMark } from './page-marks.ts';
import type { PagesView } from './pages-view.ts';

interface PdfViewerProps {
  /** Newer bytes replace the old ones; the page, the position on it and the zoom stay. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** The accessible name of the region, such as "Preview". */
  readonly label: string;
  /** The page count of the whole document, if the bytes contain only its first pages. */
  readonly totalPages?: number | undefined;
  readonly marks?: readonly PageMark[];
  readonly onMark?: (mark: PageMark) => void;
  /** Whether the pages no longer match the content edited next to them. */
  readonly isOutdated?: boolean;
  /** Shown instead of the pages while there are none. */
  readonly empty?: ComponentChildren;
}

const noMarks: readonly PageMark[] = [];

/**
 * Shows a PDF: fits the width, zooms in steps, and keeps the reading position. The PDF library is loaded on first use.
 */
export default function PdfViewer(props: PdfViewerProps) {
  const { bytes, label, totalPages, marks = noMarks, onMark, isOutdated = false, empty } = props;
  const container = useRef<HTMLElement>(null);
  const view = useRef<Promise<PagesView>>();
  const [state, setState] = useState({ page: 0, percent: 100 });
  const [pageCount, setPageCount] = useState(0);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [error, setError] = useState<unknown>();
  const shown = useRef({ place: { page: 0, share: 0 } as Place, scale: 1 });

  const openView = (): Promise<PagesView> => {
    view.current ??= createView(container.current, (opened) => {
      shown.current = { ...shown.current, place: opened.place(), scale: opened.scale() };
      setState({ page: shown.current.place.page, percent: Math.round(shown.current.scale * 100) });
    });
    return view.current;
  };

  useEffect(() => {
    if (bytes === undefined) {
      void view.current?.then((opened) => opened.clear());
      setPageCount(0);
      return;
    }
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const [opened, { openPdf }] = await Promise.all([openView(), import('./open-pdf.ts')]);
      if (!isCurrent) return;
      const pdf = await openPdf(bytes);
      if (!isCurrent) return pdf.close();
      setPageCount(pdf.pageCount);
      setError(undefined);
      await opened.show(pdf);
    };
    show().catch((failure: unknown) => isCurrent && setError(failure));
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  useEffect(() => void view.current?.then((opened) => opened.setMarks(marks, onMark)), [marks, onMark, bytes]);
  useEffect(() => () => void view.current?.then((opened) => opened.close()), []);

  const changeZoom = (next: Zoom): void => {
    setZoom(next);
    void view.current?.then((opened) => opened.setZoom(next));
  };
  const step = (direction: 1 | -1) => changeZoom(stepZoom(shown.current.scale, direction));
  const go = (direction: 1 | -1): void => {
    const page = pageInDirection(shown.current.place, direction, pageCount);
    void view.current?.then((opened) => opened.goTo({ page, share: 0 }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      '+': () => step(1),
      '-': () => step(-1),
      '0': () => changeZoom('fit'),
      n: () => go(1),
      p: () => go(-1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  const total = totalPages ?? pageCount;
  const pagesLabel = pdfTexts.pages(label);
  return (
    <div class="pdf" data-outdated={isOutdated}>
      <div class="pdf-toolbar" role="toolbar" aria-label={pdfTexts.toolbar}>
        <IconButton label={pdfTexts.previous} icon={<ChevronUp />} disabled={pageCount === 0} onClick={() => go(-1)} />
        <IconButton label={pdfTexts.next} icon={<ChevronDown />} disabled={pageCount === 0} onClick={() => go(1)} />
        <output class="pdf-position number">{pageCount === 0 ? '–' : pdfTexts.position(state.page + 1, total)}</output>
        <span class="pdf-space" />
        <IconButton label={pdfTexts.smaller} icon={<ZoomOut />} onClick={() => step(-1)} />
        <output class="pdf-zoom number">{pdfTexts.zoom(state.percent)}</output>
        <IconButton label={pdfTexts.larger} icon={<ZoomIn />} onClick={() => step(1)} />
        <IconButton
          label={pdfTexts.fit}
          icon={<MoveHorizontal />}
          aria-pressed={zoom === 'fit'}
          onClick={() => changeZoom('fit')}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {/* Scrollable, so the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the same */}
      <section class="pdf-pages" ref={container} tabIndex={0} aria-label={pagesLabel} onKeyDown={onKeyDown} />
      {pageCount === 0 && error === undefined && empty !== undefined && <div class="pdf-empty">{empty}</div>}
      {pageCount > 0 && pageCount < total && <p class="pdf-note small muted">{pdfTexts.onlyFirst(pageCount, total)}</p>}
    </div>
  );
}

async function createView(container: HTMLElement | null, onMove: (view: PagesView) => void): Promise<PagesView> {
  const { createPagesView } = await import('./pages-view.ts');
  if (container === null) throw new Error('The viewer is not on a page.');
  const view: PagesView = createPagesView(container, () => onMove(view));
  return view;
}
