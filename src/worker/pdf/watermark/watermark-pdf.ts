import { dictionaryOf, type PdfObject, readPdfFile, writePdfFile } from '../pdf-file.ts';

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

const pageStart = /^\d+ 0 obj\s*<<\s*\/Type\s*\/Page(?![A-Za-z])/;
const number = '(-?[\\d.]+)';
const mediaBox = new RegExp(`/MediaBox\\s*\\[\\s*${number}\\s+${number}\\s+${number}\\s+${number}\\s*\\]`);
const contents = /\/Contents\s*(?:(\d+ 0 R)|\[([^\]]*)\])/;

export type WatermarkWord = 'TEST' | 'PREVIEW';

/**
 * Draws a word on every page of a PDF written by LibreOffice: large and pale across the page below the content, and
 * small in the right margin above it. So nothing crosses the text, and no picture or background hides both. The drawing
 * is an artifact (ISO 32000-1, 14.8.2.2) in grey without transparency, which PDF/A and PDF/UA allow. Throws unless it
 * finds `pages` pages.
 */
export function watermarkPdf(pdf: Uint8Array, pages: number, word: WatermarkWord): Buffer {
  const file = readPdfFile(pdf);
  if (file === undefined) throw new Error('the PDF has no table of objects that can be extended');
  let next = file.objects.reduce((most, object) => Math.max(most, object.number + 1), 1);
  const added: PdfObject[] = [];
  const layers = new Map<string, readonly [below: number, above: number]>();
  const layersOf = (box: readonly number[]): readonly [below: number, above: number] => {
    const known = layers.get(String(box));
    if (known !== undefined) return known;
    const [below, above] = [next, next + 1];
    next += 2;
    const inMargin = wordPath(word, marginPlace(box));
    // The white line around the small letters keeps them legible on a picture.
    added.push(
      streamObject(below, `${artifact} q 0.94 g\n${wordPath(word, diagonalPlace(word, box))}f Q EMC\nq\n`),
      streamObject(above, `\nQ ${artifact} q 1 G 1 w\n${inMargin}S 0.5 g\n${inMargin}f Q EMC\n`),
    );
    layers.set(String(box), [below, above]);
    return [below, above];
  };
  let marked = 0;
  const objects = file.objects.map((object) => {
    if (!pageStart.test(object.bytes.toString('latin1', 0, 64))) return object;
    const dictionary = dictionaryOf(object);
    const box = mediaBox.exec(dictionary)?.slice(1).map(Number);
    if (box === undefined || !contents.test(dictionary)) return object;
    marked += 1;
    const [below, above] = layersOf(box);
    const changed = dictionary.replace(
      contents,
      (_found, one: string | undefined, several: string | undefined) =>
        `/Contents[${below} 0 R ${one ?? several ?? ''} ${above} 0 R]`,
    );
    return { number: object.number, bytes: Buffer.from(changed, 'latin1') };
  });
  if (marked !== pages) throw new Error(`the watermark was drawn on ${marked} of ${pages} pages`);
  const trailer = file.trailer.replace(/\/Size\s+\d+/, `/Size ${next}`);
  return writePdfFile({ ...file, objects: [...objects, ...added], trailer });
}

const artifact = '/Artifact<</Type/Pagination/Subtype/Watermark>>BDC';

function streamObject(number: number, content: string): PdfObject {
  const text = `${number} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n\n`;
  return { number, bytes: Buffer.from(text, 'latin1') };
}

interface Place {
  /** Where the middle of the word is. */
  readonly middle: Point;
  /** The direction of its baseline; the length is the size of a unit. */
  readonly direction: Point;
}

/** In the middle of the page, along its diagonal from the lower left. */
function diagonalPlace(word: WatermarkWord, [left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): Place {
  const [width, height] = [right - left, top - bottom];
  const diagonal = Math.hypot(width, height);
  const [across, up] = [width / diagonal, height / diagonal];
  const [length, size] = [word.length * letterStep - 1, letterUnits];
  const scale = extent * Math.min(width / (length * across + size * up), height / (length * up + size * across));
  return { middle: [left + width / 2, bottom + height / 2], direction: [across * scale, up * scale] };
}

/** In the middle of the right edge, upwards. */
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
