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
/** The share of the page's width or height that the word occupies. */
const extent = 0.85;

const pageStart = /^\d+ 0 obj\s*<<\s*\/Type\s*\/Page(?![A-Za-z])/;
const number = '(-?[\\d.]+)';
const mediaBox = new RegExp(`/MediaBox\\s*\\[\\s*${number}\\s+${number}\\s+${number}\\s+${number}\\s*\\]`);
const contents = /\/Contents\s*(?:(\d+ 0 R)|\[([^\]]*)\])/;

export type WatermarkWord = 'TEST' | 'PREVIEW';

/**
 * Draws a word across every page of a PDF written by LibreOffice: pale areas below the content and thin outlines above
 * it, so that all text stays readable and no picture hides the word. The drawing is an artifact (ISO 32000-1, 14.8.2.2)
 * in grey without transparency, which PDF/A and PDF/UA allow. Throws unless it finds `pages` pages.
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
    const path = wordPath(word, box);
    added.push(
      streamObject(below, `${artifact} q 0.92 g\n${path}f Q EMC\nq\n`),
      streamObject(above, `\nQ ${artifact} q 0.55 G 0.6 w\n${path}S Q EMC\n`),
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

/** The paths of the letters in the middle of the page, along its diagonal from the lower left. */
function wordPath(word: WatermarkWord, [left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): string {
  const [width, height] = [right - left, top - bottom];
  const diagonal = Math.hypot(width, height);
  const [across, up] = [width / diagonal, height / diagonal];
  const [length, size] = [word.length * letterStep - 1, letterUnits];
  const scale = extent * Math.min(width / (length * across + size * up), height / (length * up + size * across));
  const [cos, sin] = [across * scale, up * scale];
  const place = ([x, y]: Point, index: number): string => {
    const [fromMiddle, above] = [x + index * letterStep - length / 2, y - size / 2];
    const pageX = left + width / 2 + cos * fromMiddle - sin * above;
    const pageY = bottom + height / 2 + sin * fromMiddle + cos * above;
    return `${pageX.toFixed(2)} ${pageY.toFixed(2)}`;
  };
  const contour = (points: readonly Point[], index: number): string =>
    `${points.map((point, i) => `${place(point, index)} ${i === 0 ? 'm' : 'l'}`).join(' ')} h\n`;
  return [...word].flatMap((letter, index) => (letters[letter] ?? []).map((points) => contour(points, index))).join('');
}
