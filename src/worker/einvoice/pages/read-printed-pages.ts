import { type Bitmap, channels, drawPage, pointsPerInch } from '../../pdf/compare/bitmap.ts';
import { openPdf, type Pdfium } from '../../pdf/compare/pdfium.ts';
import { type Character, readCharacters, TooManyCharacters } from '../../pdf/compare/read-characters.ts';

/** A visible word. Lengths are points from the left and the upper edge of the page. */
export interface PrintedWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Its base line. */
  readonly y: number;
  readonly sizePt: number;
}

export interface PrintedPage {
  readonly words: readonly PrintedWord[];
}

/** Thrown for a file that PDFium cannot read, or that is too large. The message is the end of a sentence. */
export class UnreadablePages extends Error {}

/** An invoice of 10,000 lines has 300 pages and 600,000 characters. */
const maxPages = 1_000;
const maxCharacters = 1_000_000;
const maxOfPage = 100_000;
const tooLarge = 'the pages have too much text';
const minSizePt = 3;
/** Resolution in which pages are drawn to see which words are visible. */
const dpi = 72;
/** Of 255. Text in a light grey (#D8D8D8) on white has 39, smoothed strokes less. */
const minContrast = 24;
const hiddenModes: ReadonlySet<number> = new Set([3, 7]);
const turnedPt = 0.01;
/** Words whose base lines differ by more do not hide each other. */
const rowPt = 4;

/** Reads the words that a reader of the PDF sees. Throws `UnreadablePages` for a file that is too large, and other
 * errors for one that PDFium cannot read. */
export function readPrintedPages(pdfium: Pdfium, bytes: Uint8Array): PrintedPage[] {
  const file = openPdf(pdfium, bytes);
  try {
    if (file.pages > maxPages) throw new UnreadablePages(`the PDF has more than ${maxPages} pages`);
    let left = maxCharacters;
    return Array.from({ length: file.pages }, (_, index) =>
      file.usePage(index, (page) => {
        const characters = readCharacters(pdfium, file.document, page, Math.min(left, maxOfPage));
        left -= characters.length;
        return { words: toVisibleWords(characters, pdfium, page) };
      }),
    );
  } catch (error) {
    throw error instanceof TooManyCharacters ? new UnreadablePages(tooLarge) : error;
  } finally {
    file.close();
  }
}

function toVisibleWords(all: readonly Character[], pdfium: Pdfium, page: number): readonly PrintedWord[] {
  const characters = all.filter(isUpright);
  if (characters.length === 0) return [];
  const bitmap = drawPage(pdfium, page, dpi);
  const words = toWords(characters.filter((character) => isShown(character, bitmap)));
  return withoutOverprinted(words);
}

/** Watermarks and texts in margins are turned. */
const isUpright = ({ shape: [a, b, c, d] }: Character): boolean =>
  a > 0 && d > 0 && Math.abs(b) <= turnedPt * Math.abs(a) && Math.abs(c) <= Math.abs(d);

/**
 * Whether the drawn page shows anything where the ink of a character stands. So text in the colour of its background,
 * text under a plain picture or a shape, clipped text and text beyond the page are hidden, however they came to be so.
 */
function isShown({ box, codePoint, y, renderMode, shape, colour }: Character, bitmap: Bitmap): boolean {
  const size = Math.hypot(shape[2], shape[3]);
  if (hiddenModes.has(renderMode) || size < minSizePt || colour.endsWith(' 0')) return false;
  const scale = bitmap.dpi / pointsPerInch;
  // The box of letters and digits also has room for accents and descenders, and may touch a border or another line.
  const isTall = letterOrDigit.test(String.fromCodePoint(Math.min(codePoint, 0x10ffff)));
  const [upper, lower] = isTall ? [y - capHeight * size, y] : [box.top, box.bottom];
  const ink = {
    left: Math.floor(box.left * scale),
    right: Math.ceil(box.right * scale),
    // With the paper above an "l", whose stem may fill its box.
    top: isTall ? Math.floor(upper * scale) - 1 : Math.round(upper * scale),
    bottom: Math.round(lower * scale) + (isTall ? 0 : 1),
  };
  const [left, right] = [Math.max(0, ink.left), Math.min(bitmap.width, Math.max(ink.right, ink.left + 1))];
  const [top, bottom] = [Math.max(0, ink.top), Math.min(bitmap.height, Math.max(ink.bottom, ink.top + 1))];
  const low = [255, 255, 255];
  const high = [0, 0, 0];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const at = (row * bitmap.width + column) * channels;
      for (let channel = 0; channel < 3; channel++) {
        const value = bitmap.data[at + channel] ?? 0;
        if (value < (low[channel] ?? 0)) low[channel] = value;
        if (value > (high[channel] ?? 0)) high[channel] = value;
        if ((high[channel] ?? 0) - (low[channel] ?? 0) >= minContrast) return true;
      }
    }
  }
  return false;
}

const letterOrDigit = /[\p{L}\p{N}]/u;
/** Of capital letters and digits, as a part of the size. */
const capHeight = 0.75;

function toWords(characters: readonly Character[]): readonly PrintedWord[] {
  const groups: Character[][] = [];
  for (const character of characters) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group === undefined || before === undefined || !continues(before, character)) groups.push([character]);
    else group.push(character);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      text: group.map(({ codePoint }) => String.fromCodePoint(Math.min(codePoint, 0x10ffff))).join(''),
      left: Math.min(...group.map(({ box }) => box.left)),
      right: Math.max(...group.map(({ box }) => box.right)),
      top: Math.min(...group.map(({ box }) => box.top)),
      bottom: Math.max(...group.map(({ box }) => box.bottom)),
      y: first.y,
      sizePt: Math.hypot(first.shape[2], first.shape[3]),
    };
  });
}

/** A hidden character between two others ends a word, because there is a gap in its place. */
function continues(before: Character, character: Character): boolean {
  const size = Math.hypot(before.shape[2], before.shape[3]);
  const gap = character.box.left - before.box.right;
  return !character.startsWord && Math.abs(character.y - before.y) < size / 2 && gap < size / 4 && gap > -size;
}

function withoutOverprinted(words: readonly PrintedWord[]): readonly PrintedWord[] {
  const rows = new Map<number, PrintedWord[]>();
  for (const word of words) {
    const row = Math.round(word.y / rowPt);
    const own = rows.get(row);
    if (own === undefined) rows.set(row, [word]);
    else own.push(word);
  }
  return words.filter((word) => {
    const row = Math.round(word.y / rowPt);
    return ![row - 1, row, row + 1].some((each) => rows.get(each)?.some((other) => isPrintedOver(word, other)));
  });
}

/** Whether another text stands in the same place, so that neither can be read. Bold text may be printed twice. */
function isPrintedOver(word: PrintedWord, other: PrintedWord): boolean {
  if (word === other || word.text === other.text) return false;
  if (Math.abs(word.y - other.y) > word.sizePt / 3 || other.sizePt > 2 * word.sizePt) return false;
  const shared = Math.min(word.right, other.right) - Math.max(word.left, other.left);
  return shared > 0.6 * Math.min(word.right - word.left, other.right - other.left);
}
