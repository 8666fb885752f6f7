import { type Pdfium, useMemory } from './pdfium.ts';

/** An entry of the outline. */
export interface Bookmark {
  /** 0 for the first level. */
  readonly depth: number;
  readonly title: string;
  /** Counted from 1; 0 for none. */
  readonly page: number;
  /** Points from the left and the lower edge of the page. */
  readonly x: number;
  readonly y: number;
}

const maxBookmarks = 50_000;
const maxDepth = 64;
const maxTitleBytes = 8_192;
const noPlace = Number.NaN;

/** The outline of a PDF, from top to bottom. Throws if it is too large or has a cycle. */
export function readOutline(pdfium: Pdfium, document: number): Bookmark[] {
  const found: Bookmark[] = [];
  useMemory(pdfium, maxTitleBytes, (buffer) => {
    const readBelow = (parent: number, depth: number): void => {
      if (depth > maxDepth) throw new Error('the outline is too deep to be compared');
      let bookmark = pdfium._FPDFBookmark_GetFirstChild(document, parent);
      for (; bookmark !== 0; bookmark = pdfium._FPDFBookmark_GetNextSibling(document, bookmark)) {
        if (found.length === maxBookmarks) throw new Error('the outline is too long to be compared');
        const title = readTitle(pdfium, bookmark, buffer);
        found.push({ depth, title, ...readDestination(pdfium, document, bookmark, buffer) });
        readBelow(bookmark, depth + 1);
      }
    };
    readBelow(0, 0);
  });
  return found;
}

function readTitle(pdfium: Pdfium, bookmark: number, buffer: number): string {
  const bytes = pdfium._FPDFBookmark_GetTitle(bookmark, buffer, maxTitleBytes);
  // A longer title is not written. Titles end with a NUL of two bytes.
  if (bytes > maxTitleBytes) return `a title of ${bytes} bytes`;
  return Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + Math.max(0, bytes - 2))).toString('utf16le');
}

function readDestination(
  pdfium: Pdfium,
  document: number,
  bookmark: number,
  buffer: number,
): Pick<Bookmark, 'page' | 'x' | 'y'> {
  const destination = pdfium._FPDFBookmark_GetDest(document, bookmark);
  if (destination === 0) return { page: 0, x: noPlace, y: noPlace };
  const [hasX, hasY, hasZoom, x, y, zoom] = [0, 4, 8, 12, 16, 20].map((offset) => buffer + offset);
  pdfium.HEAPU8.fill(0, buffer, buffer + 24);
  pdfium._FPDFDest_GetLocationInPage(destination, hasX ?? 0, hasY ?? 0, hasZoom ?? 0, x ?? 0, y ?? 0, zoom ?? 0);
  const view = new DataView(pdfium.HEAPU8.buffer, buffer, 24);
  return {
    page: pdfium._FPDFDest_GetDestPageIndex(document, destination) + 1,
    x: view.getInt32(0, true) === 1 ? view.getFloat32(12, true) : noPlace,
    y: view.getInt32(4, true) === 1 ? view.getFloat32(16, true) : noPlace,
  };
}
