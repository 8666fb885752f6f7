import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Contiguous text on a line. Lengths are in points (1/72 inch) from the top left corner of the page. */
export interface Segment {
  readonly text: string;
  readonly x: number;
  /** The y position of the baseline. */
  readonly y: number;
  readonly width: number;
}

export interface PageText {
  readonly width: number;
  readonly height: number;
  /** From top to bottom, then from left to right. */
  readonly segments: readonly Segment[];
}

interface Piece extends Segment {
  readonly height: number;
}

/**
 * Gaps between two pieces of a line, relative to the text height. Below `spaceGap` a word continues; below `segmentGap`
 * a sentence does.
 */
const spaceGap = 0.12;
const segmentGap = 0.6;
const sameLinePt = 1;

/**
 * The text of each page of a PDF. The division of text into runs does not matter. Throws an error if the bytes are not
 * a PDF.
 */
export async function readPageTexts(pdf: Uint8Array): Promise<readonly PageText[]> {
  // pdf.js takes ownership of the buffer.
  const document = await getDocument({ data: Uint8Array.from(pdf), verbosity: 0, isEvalSupported: false }).promise;
  try {
    const pages: PageText[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const pieces = items.flatMap((item): Piece[] => {
        if (!('str' in item) || item.str === '') return [];
        const [, , , , left, bottom] = item.transform as readonly number[];
        const [x, y] = viewport.convertToViewportPoint(left ?? 0, bottom ?? 0) as readonly number[];
        return [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, height: item.height }];
      });
      pages.push({ width: round(viewport.width), height: round(viewport.height), segments: toSegments(pieces) });
      page.cleanup();
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Joins the pieces of each line. */
export function toSegments(pieces: readonly Piece[]): readonly Segment[] {
  return toLines(pieces.filter(({ text }) => text.trim() !== '')).flatMap((line) => {
    const segments: Piece[] = [];
    for (const piece of line) {
      const last = segments.at(-1);
      const gap = last === undefined ? Infinity : piece.x - (last.x + last.width);
      const height = Math.max(piece.height, last?.height ?? 0);
      if (last === undefined || gap > segmentGap * height) segments.push(piece);
      else {
        const text = `${last.text}${gap > spaceGap * height ? ' ' : ''}${piece.text}`;
        const width = Math.max(last.width, piece.x + piece.width - last.x);
        segments[segments.length - 1] = { ...last, text, width, height };
      }
    }
    return segments.map(({ text, x, y, width }) => ({
      text: text.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
      x: round(x),
      y: round(y),
      width: round(width),
    }));
  });
}

function toLines(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line !== undefined && first !== undefined && piece.y - first.y <= sameLinePt) line.push(piece);
    else lines.push([piece]);
  }
  return lines.map((line) => line.toSorted((a, b) => a.x - b.x));
}

const round = (value: number): number => Math.round(value * 10) / 10;
