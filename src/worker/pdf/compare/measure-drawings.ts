import { type Bitmap, channels, drawPage, extended, masked, maxDpi, toPng } from './bitmap.ts';
import { compareDrawings } from './compare-drawings.ts';
import { isOnPage } from './mask.ts';
import type { MeasureOptions, Measures } from './measures.ts';
import type { OpenedPdf, Pdfium } from './pdfium.ts';
import { readCharacters } from './read-characters.ts';
import type { Box } from './read-links.ts';

interface DrawingOptions extends MeasureOptions {
  readonly pdfium: Pdfium;
  readonly before: OpenedPdf;
  readonly after: OpenedPdf;
  readonly movedPtByPage: ReadonlyMap<number, number>;
  /** Pages that differ in their words. */
  readonly changed: ReadonlySet<number>;
}

type Pictures = Readonly<Record<string, Uint8Array>>;
type Drawings = Pick<Measures, 'comparedPages' | 'pixelShare' | 'pages'> & { readonly pictures: Pictures };
type PageMeasures = Measures['pages'][number];

/** A listed page, with its pictures by file name. */
interface ListedPage extends PageMeasures {
  readonly files: Pictures;
}

const maxListedPages = 12;

/** Compares the pixels of pages. Keeps pictures of those that differ most. */
export function measureDrawings(options: DrawingOptions): Drawings {
  const { before, after, movedPtByPage, changed } = options;
  const comparedPages = Math.min(options.maxPages, Math.max(before.pages, after.pages));
  let listed: readonly ListedPage[] = [];
  let pixelShare = 0;
  for (let page = 1; page <= comparedPages; page++) {
    const movedPt = movedPtByPage.get(page) ?? 0;
    const drawn = drawBoth(options, page);
    pixelShare = Math.max(pixelShare, drawn.pixelShare);
    const differs = drawn.pixelShare > options.pixels || movedPt > options.movedPt || changed.has(page);
    const least = listed.length < maxListedPages ? -1 : (listed.at(-1)?.pixelShare ?? -1);
    if (!differs || drawn.pixelShare <= least) continue;
    listed = [...listed, { page, movedPt, pixelShare: drawn.pixelShare, ...toPictures(page, drawn) }]
      .sort((a, b) => b.pixelShare - a.pixelShare || a.page - b.page)
      .slice(0, maxListedPages);
  }
  const pages = listed.toSorted((a, b) => a.page - b.page).map(({ files: _, ...page }) => page);
  return { comparedPages, pixelShare, pages, pictures: Object.assign({}, ...listed.map(({ files }) => files)) };
}

function toPictures(page: number, drawn: DrawnPage): Pick<ListedPage, 'pictures' | 'files'> {
  const sides = (['old', 'new', 'difference'] as const).flatMap((side) => {
    const bitmap = drawn[side];
    return bitmap === undefined ? [] : [{ side, name: `${side}-${page}.png`, png: toPng(bitmap) }];
  });
  return {
    pictures: Object.fromEntries(sides.map(({ side, name }) => [side, name])),
    files: Object.fromEntries(sides.map(({ name, png }) => [name, png])),
  };
}

/** A page of both PDFs. `difference` marks the pixels that differ. */
interface DrawnPage {
  readonly old?: Bitmap | undefined;
  readonly new?: Bitmap | undefined;
  readonly difference?: Bitmap | undefined;
  readonly pixelShare: number;
}

/** Blue, green and red. */
const markColour = [0, 0, 0xff];

function drawBoth({ pdfium, before, after, masks, ...options }: DrawingOptions, page: number): DrawnPage {
  const limits = [before, after]
    .filter(({ pages }) => page <= pages)
    .map(({ usePage }) => usePage(page - 1, (pointer) => maxDpi(pdfium, pointer)));
  const dpi = Math.min(options.dpi, ...limits);
  const draw = ({ pages, usePage }: OpenedPdf): Bitmap | undefined =>
    page <= pages ? usePage(page - 1, (pointer) => drawPage(pdfium, pointer, dpi)) : undefined;
  const [old, current] = [draw(before), draw(after)];
  if (old === undefined || current === undefined) return { old, new: current, pixelShare: 1 };
  const [width, height] = [Math.max(old.width, current.width), Math.max(old.height, current.height)];
  const ofPage = masks.filter((mask) => isOnPage(mask, page));
  const comparable = (bitmap: Bitmap): Bitmap => masked(extended(bitmap, width, height), ofPage);
  const [left, right] = [comparable(old), comparable(current)];
  if (Buffer.from(left.data.buffer).equals(right.data)) return { old, new: current, pixelShare: 0 };
  const letters = [before, after].flatMap((pdf) => lettersOf(pdfium, pdf, page));
  const difference = faded(right);
  const { pixels } = compareDrawings(left, right, letters, (pixel) =>
    difference.data.set(markColour, pixel * channels),
  );
  const pixelShare = pixels / (width * height);
  return { old, new: current, pixelShare, ...(pixels > 0 && { difference }) };
}

function lettersOf(pdfium: Pdfium, { document, usePage }: OpenedPdf, page: number): Box[] {
  return usePage(page - 1, (pointer) => readCharacters(pdfium, document, pointer).map(({ box }) => box));
}

const fadedShare = 0.25;

/** The page in pale colours, as the background of marks. */
function faded(bitmap: Bitmap): Bitmap {
  return { ...bitmap, data: bitmap.data.map((value) => 255 - (255 - value) * fadedShare) };
}
