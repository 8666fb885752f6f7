import { createDrawing } from './draw-seen.ts';
import type { PageSize, Pdf } from './open-pdf.ts';
import { createPageColumn, type PageColumn } from './page-column.ts';
import { limitZoom, type Place, type Zoom } from './page-layout.ts';
import { type PageMark, showMarks } from './page-marks.ts';
import { forgetDrawing } from './page-slot.ts';

/** More pages than anyone scrolls through; each one needs an element. */
const maxShownPages = 2_000;
/** The number of pages measured up front; the others get the size of the first page until they become visible. */
const measuredAtStart = 20;

/**
 * Draws the pages of a PDF stacked in a scrolling element. A newer PDF replaces them without moving the reading
 * position.
 */
export interface PagesView {
  readonly show: (pdf: Pdf) => Promise<void>;
  readonly clear: () => void;
  readonly place: () => Place;
  readonly goTo: (place: Place) => void;
  readonly setZoom: (zoom: Zoom) => void;
  readonly scale: () => number;
  readonly setMarks: (marks: readonly PageMark[], onMark?: (mark: PageMark) => void) => void;
  readonly close: () => void;
}

export function createPagesView(container: HTMLElement, onMove: () => void): PagesView {
  const column = createPageColumn(container);
  const drawing = createDrawing(column);
  let pdf: Pdf | undefined;
  let isClosed = false;
  let marks: Parameters<PagesView['setMarks']> = [[]];

  // A page that cannot be drawn stays white, with its text if there is any.
  const redraw = async (): Promise<void> => {
    if (pdf !== undefined) await drawing.draw(pdf).catch(() => undefined);
  };
  const moved = (): void => {
    void redraw();
    onMove();
  };
  const stopWatching = watch(container, {
    onMove: moved,
    onWidth() {
      column.keepPlace();
      moved();
    },
    onHeight: () => void redraw(),
  });
  const drawMarks = (): void => {
    for (const [index, { element, size }] of column.slots.entries()) showMarks(element, index, size, ...marks);
  };
  const clear = (): void => {
    drawing.stop();
    pdf?.close();
    pdf = undefined;
    column.resizeTo(0);
  };

  return {
    place: column.place,
    goTo: column.goTo,
    scale: column.scale,
    clear,
    async show(next) {
      const count = Math.min(next.pageCount, maxShownPages);
      const sizes = await measureFirst(next, count, column.place().page);
      if (isClosed) return next.close();
      drawing.stop();
      const before = pdf;
      pdf = next;
      column.keepPlace(() => replacePages(column, count, sizes));
      drawMarks();
      onMove();
      before?.close();
      await redraw();
    },
    setZoom(value) {
      const next = value === 'fit' ? value : limitZoom(value);
      if (next === column.zoom()) return;
      column.keepPlace(() => column.setZoom(next));
      moved();
    },
    setMarks(list, onMark) {
      marks = [list, onMark];
      drawMarks();
    },
    close() {
      isClosed = true;
      stopWatching();
      clear();
    },
  };
}

/** Measures the first pages, and those around the page being read. */
async function measureFirst(pdf: Pdf, count: number, page: number): Promise<ReadonlyMap<number, PageSize>> {
  const around = Math.min(page, count - 1);
  const indexes = new Set([...Array(Math.min(count, measuredAtStart)).keys(), Math.max(0, around - 1), around]);
  return new Map(await Promise.all(Array.from(indexes, async (index) => [index, await pdf.sizeOf(index)] as const)));
}

/** Gives the column the pages of another PDF. Old pictures stay until new ones are drawn, to avoid flicker. */
function replacePages(column: PageColumn, count: number, sizes: ReadonlyMap<number, PageSize>): void {
  column.resizeTo(count);
  for (const [index, slot] of column.slots.entries()) {
    const size = sizes.get(index);
    Object.assign(slot, { size: size ?? sizes.get(0) ?? slot.size, isMeasured: size !== undefined });
    forgetDrawing(slot);
  }
}

interface Watcher {
  readonly onMove: () => void;
  readonly onWidth: () => void;
  readonly onHeight: () => void;
}

/** Reports scrolling and resizing of the element. Returns a function that stops it. */
function watch(container: HTMLElement, { onMove, onWidth, onHeight }: Watcher): () => void {
  container.addEventListener('scroll', onMove, { passive: true });
  let knownWidth = container.clientWidth;
  const resized = new ResizeObserver(() => {
    if (container.clientWidth === knownWidth) return onHeight();
    knownWidth = container.clientWidth;
    onWidth();
  });
  resized.observe(container);
  return () => {
    resized.disconnect();
    container.removeEventListener('scroll', onMove);
  };
}
