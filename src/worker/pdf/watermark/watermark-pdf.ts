import { drawOnPages, type PageLayers } from '../draw-on-pages.ts';
import { readPdfFile, writePdfFile } from '../pdf-file.ts';

type Point = readonly [x: number, y: number];

/** A hole is drawn in the opposite direction to its outline. */
type Letter = readonly (readonly Point[])[];

// biome-ignore format: one contour a line
const bowl: readonly Point[] = [[1, 4], [3, 4], [3, 6], [1, 6]];

/** The letters as outlines, 4 units wide and 7 high, so that no font is needed. */
const letters: Readonly<Record<string, Letter>> = {
  // biome-ignore format: one contour a line
  E: [[[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [3.5, 3], [3.5, 4], [1, 4], [1, 6], [4, 6], [4, 7], [0, 7]]],
  // biome-ignore format: one contour a line
  I: [[[1.5, 0], [1.5, 7], [2.5, 7], [2.5, 0]]],
  // biome-ignore format: one contour a line
  P: [[[0, 0], [0, 7], [4, 7], [4, 3], [1, 3], [1, 0]], bowl],
  // biome-ignore format: one contour a line
  R: [[[0, 0], [0, 7], [4, 7], [4, 3], [2.6, 3], [4, 0], [2.9, 0], [1.5, 3], [1, 3], [1, 0]], bowl],
  // biome-ignore format: one contour a line
  S: [[[0, 0], [4, 0], [4, 4], [1, 4], [1, 6], [4, 6], [4, 7], [0, 7], [0, 3], [3, 3], [3, 1], [0, 1]]],
  // biome-ignore format: one contour a line
  T: [[[0, 7], [4, 7], [4, 6], [2.5, 6], [2.5, 0], [1.5, 0], [1.5, 6], [0, 6]]],
  // biome-ignore format: one contour a line
  V: [[[0, 7], [1.1, 7], [2, 2], [2.9, 7], [4, 7], [2.6, 0], [1.4, 0]]],
  // biome-ignore format: one contour a line
  W: [[[0, 7], [0.9, 7], [1.3, 2], [1.6, 5], [2.4, 5], [2.7, 2], [3.1, 7], [4, 7], [3.3, 0], [2.4, 0], [2, 3.4], [1.6, 0], [0.7, 0]]],
};
const letterStep = 5;
const letterUnits = 7;
/** The share of the page's width or height that the word across it occupies. */
const extent = 0.65;
/** The height in points of the letters in the margin, and their distance to the edge; less on small pages. */
const marginLetters = 6.5;
const marginInset = 12;

export type WatermarkWord = 'TEST' | 'PREVIEW';

/**
 * Draws a word on every page of a PDF: large and pale across the page below the content, and small in the right margin
 * above it. Nothing crosses the text, and no picture or background hides both words. The drawing is an artifact (ISO
 * 32000-1, 14.8.2.2) in grey without transparency, which PDF/A and PDF/UA allow. Throws unless it finds `pages` pages.
 */
export function watermarkPdf(pdf: Uint8Array, pages: number, word: WatermarkWord): Buffer {
  const file = readPdfFile(pdf);
  if (file === undefined) throw new Error('the PDF has no table of objects that can be extended');
  return writePdfFile(drawOnPages(file, pages, { layersOf: (box) => layersOf(word, box) }));
}

/** Begins the content of a watermark and marks it as an artifact, which is not part of the document's text. */
export const watermarkArtifact = '/Artifact<</Type/Pagination/Subtype/Watermark>>BDC';

function layersOf(word: WatermarkWord, box: readonly number[]): PageLayers {
  const inMargin = wordPath(word, marginPlace(box));
  return {
    below: `${watermarkArtifact} q 0.94 g\n${wordPath(word, diagonalPlace(word, box))}f Q EMC\nq\n`,
    // The white line around the small letters keeps them legible on a picture.
    above: `\nQ ${watermarkArtifact} q 1 G 1 w\n${inMargin}S 0.5 g\n${inMargin}f Q EMC\n`,
  };
}

interface Place {
  /** Where the middle of the word is. */
  readonly middle: Point;
  /** The direction of its baseline; the length is the size of a unit. */
  readonly direction: Point;
}

/** The position in the middle of the page, along the diagonal from the lower left corner. */
function diagonalPlace(word: WatermarkWord, [left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): Place {
  const [width, height] = [right - left, top - bottom];
  const diagonal = Math.hypot(width, height);
  const [across, up] = [width / diagonal, height / diagonal];
  const [length, size] = [word.length * letterStep - 1, letterUnits];
  const scale = extent * Math.min(width / (length * across + size * up), height / (length * up + size * across));
  return { middle: [left + width / 2, bottom + height / 2], direction: [across * scale, up * scale] };
}

/** The position in the middle of the right edge, reading upwards. */
function marginPlace([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): Place {
  const shrink = Math.min(1, (right - left) / 200, (top - bottom) / 100);
  const letterHeight = marginLetters * shrink;
  const x = right - marginInset * shrink - letterHeight / 2;
  return { middle: [x, bottom + (top - bottom) / 2], direction: [0, letterHeight / letterUnits] };
}

/** The paths of the letters of a word. */
function wordPath(word: WatermarkWord, { middle: [middleX, middleY], direction: [cos, sin] }: Place): string {
  const length = word.length * letterStep - 1;
  const place = ([x, y]: Point, index: number): string => {
    const [fromMiddle, above] = [x + index * letterStep - length / 2, y - letterUnits / 2];
    const pageX = middleX + cos * fromMiddle - sin * above;
    const pageY = middleY + sin * fromMiddle + cos * above;
    return `${pageX.toFixed(2)} ${pageY.toFixed(2)}`;
  };
  const contour = (points: readonly Point[], index: number): string =>
    `${points.map((point, i) => `${place(point, index)} ${i === 0 ? 'm' : 'l'}`).join(' ')} h\n`;
  return [...word].flatMap((letter, index) => (letters[letter] ?? []).map((points) => contour(points, index))).join('');
}
