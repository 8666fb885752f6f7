import { type Bitmap, drawPage } from './bitmap.ts';
import { compareCharacters } from './compare-characters.ts';
import { compareDrawings } from './compare-drawings.ts';
import { compareOutlines } from './compare-outlines.ts';
import { type Comparison, type Difference, maxDifferences } from './comparison.ts';
import { type OpenedPdf, type Pdfium, useBoth } from './pdfium.ts';
import { type Character, readCharacters } from './read-characters.ts';
import { readOutline } from './read-outline.ts';

/** The drawing is compared on this number of pages; the text on all. */
const maxDrawnPages = 200;
const dpi = 150;
const maxSizePt = 0.1;

interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly characters: readonly Character[];
  readonly bitmap: Bitmap | undefined;
}

/**
 * Compares the pages of two PDFs as a reader sees them: their number and size, the outline, each character with its
 * font, size, colour, link and position, and everything drawn. Throws if a file cannot be read.
 */
export function comparePdfs(pdfium: Pdfium, before: Uint8Array, after: Uint8Array): Comparison {
  return useBoth(pdfium, before, after, (first, second) => compareOpened(pdfium, first, second));
}

function compareOpened(pdfium: Pdfium, first: OpenedPdf, second: OpenedPdf): Comparison {
  const { pages } = first;
  if (second.pages !== pages) {
    const message = `${second.pages} instead of ${pages}`;
    const page = Math.min(pages, second.pages) + 1;
    return { pages, characters: 0, movedPt: 0, differences: [{ measure: 'pages', page, message }] };
  }
  const outlines = compareOutlines(readOutline(pdfium, first.document), readOutline(pdfium, second.document));
  const differences: Difference[] = outlines === undefined ? [] : [outlines];
  let [characters, movedPt] = [0, 0];
  for (let index = 0; index < pages && differences.length < maxDifferences; index++) {
    const read = ({ document, usePage }: OpenedPdf): ReadPage =>
      usePage(index, (page) => readPage(pdfium, document, page, index < maxDrawnPages));
    const [one, other] = [read(first), read(second)];
    const compared = comparePages(one, other);
    characters += one.characters.length;
    movedPt = Math.max(movedPt, compared.movedPt);
    differences.push(...compared.differences.map((difference) => ({ ...difference, page: index + 1 })));
  }
  return { pages, characters, movedPt: round(movedPt), differences: differences.slice(0, maxDifferences).map(rounded) };
}

function readPage(pdfium: Pdfium, document: number, page: number, isDrawn: boolean): ReadPage {
  return {
    width: pdfium._FPDF_GetPageWidth(page),
    height: pdfium._FPDF_GetPageHeight(page),
    characters: readCharacters(pdfium, document, page),
    bitmap: isDrawn ? drawPage(pdfium, page, dpi) : undefined,
  };
}

function comparePages(one: ReadPage, other: ReadPage) {
  const differences: Omit<Difference, 'page'>[] = [];
  const byPt = Math.max(Math.abs(one.width - other.width), Math.abs(one.height - other.height));
  if (byPt > maxSizePt) differences.push({ measure: 'page size', message: `${byPt.toFixed(2)} pt` });
  const { movedPt, difference } = compareCharacters(one.characters, other.characters);
  if (difference !== undefined) differences.push(difference);
  if (differences.length === 0 && one.bitmap !== undefined && other.bitmap !== undefined) {
    const drawn = compareBitmaps(one, other, one.bitmap, other.bitmap);
    if (drawn !== undefined) differences.push(drawn);
  }
  return { movedPt, differences };
}

function compareBitmaps(
  one: ReadPage,
  other: ReadPage,
  before: Bitmap,
  after: Bitmap,
): Omit<Difference, 'page'> | undefined {
  // Sizes that differ by less than the tolerance may be rounded to different numbers of pixels.
  if (before.width !== after.width || before.height !== after.height)
    return { measure: 'drawing', message: 'another size' };
  const letters = [...one.characters, ...other.characters].map(({ box }) => box);
  const { pixels, first } = compareDrawings(before, after, letters);
  if (first === undefined) return undefined;
  return { measure: 'drawing', message: `${pixels} pixel${pixels === 1 ? '' : 's'} at ${dpi} dpi`, ...first };
}

const round = (length: number): number => Math.round(length * 100) / 100;

function rounded({ x, y, ...difference }: Difference): Difference {
  return { ...difference, ...(x !== undefined && y !== undefined && { x: round(x), y: round(y) }) };
}
