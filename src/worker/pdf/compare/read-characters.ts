import { type Pdfium, useMemory } from './pdfium.ts';
import { type Box, linkAround, readLinks } from './read-links.ts';

/** A printed character. Lengths are points (1/72 inch) from the left and the upper edge of the page. */
export interface Character {
  readonly codePoint: number;
  /** Name of the font, without the prefix of a subset. Ends with ` (not embedded)` if readers have to substitute it. */
  readonly font: string;
  /** Red, green, blue and opacity, 0 to 255. */
  readonly colour: string;
  /** Position on the base line. */
  readonly x: number;
  readonly y: number;
  /** The matrix of the glyph (ISO 32000-1, 9.4.4) without its position: size, slant and rotation. */
  readonly shape: readonly [number, number, number, number];
  /** The part of the line that it occupies. */
  readonly box: Box;
  /** The target of its link: an address, or a page of the PDF; '' for none. */
  readonly link: string;
  /** The text rendering mode (ISO 32000-1, 9.3.6), such as 3 for invisible text; -1 if it is unknown. */
  readonly renderMode: number;
  /** Whether white space or the beginning of a line precedes it. */
  readonly startsWord: boolean;
}

const scratchBytes = 64;
const maxFontNameBytes = 512;
const subsetPrefix = /^[A-Z]{6}\+/;
const whiteSpace = /\s/u;
const hyphen = 0x2d;
/** PDFium's code for a hyphen at the end of a line that it takes for a hyphenated word. */
const hyphenOfWord = 0x02;

/** Thrown for a page that has more characters than the caller reads. */
export class TooManyCharacters extends Error {}

/** The characters of a page in printing order, without white space. Throws `TooManyCharacters` beyond the limit. */
export function readCharacters(
  pdfium: Pdfium,
  document: number,
  page: number,
  maxCharacters = Number.POSITIVE_INFINITY,
): Character[] {
  const links = readLinks(pdfium, document, page);
  const height = pdfium._FPDF_GetPageHeight(page);
  const toShown = mapOf(pdfium, page);
  const text = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium.wasmExports.malloc(scratchBytes + maxFontNameBytes);
  const fonts = new Map<number, string>();
  const characters: Character[] = [];
  let startsWord = true;
  try {
    const count = pdfium._FPDFText_CountChars(text);
    if (count > maxCharacters) throw new TooManyCharacters(`page has ${count} characters`);
    for (let index = 0; index < count; index++) {
      const read = pdfium._FPDFText_GetUnicode(text, index);
      const codePoint = read === hyphenOfWord ? hyphen : read;
      if (pdfium._FPDFText_IsGenerated(text, index) === 1 || isWhite(codePoint)) {
        startsWord = true;
        continue;
      }
      const character = readCharacter(pdfium, { text, index, scratch, height });
      const font = readFont(pdfium, fonts, { text, index, buffer: scratch + scratchBytes });
      const link = links.length === 0 ? '' : linkAround(links, character.box);
      const textObject = pdfium._FPDFText_GetTextObject(text, index);
      const renderMode = textObject === 0 ? -1 : pdfium._FPDFTextObj_GetTextRenderMode(textObject);
      characters.push({ codePoint, ...toShown(character), font, link, renderMode, startsWord });
      startsWord = false;
    }
    return characters;
  } finally {
    pdfium.wasmExports.free(scratch);
    pdfium._FPDFText_ClosePage(text);
  }
}

function isWhite(codePoint: number): boolean {
  return codePoint <= 0x20 || (codePoint <= 0x10ffff && whiteSpace.test(String.fromCodePoint(codePoint)));
}

type Located = Pick<Character, 'x' | 'y' | 'shape' | 'colour' | 'box'>;

/** Device units of a point, because PDFium gives whole ones. */
const unitsPerPoint = 100;
const span = 1_000;

/**
 * Maps characters to the page as it is shown: pages may be turned (`Rotate`), and their box may begin elsewhere than at
 * 0, 0. Most pages stay as they are.
 */
function mapOf(pdfium: Pdfium, page: number): (character: Located) => Located {
  const [width, height] = [pdfium._FPDF_GetPageWidth(page), pdfium._FPDF_GetPageHeight(page)];
  const [deviceWidth, deviceHeight] = [Math.round(width * unitsPerPoint), Math.round(height * unitsPerPoint)];
  const shown = (x: number, y: number): readonly [number, number] =>
    useMemory(pdfium, 8, (to) => {
      pdfium._FPDF_PageToDevice(page, 0, 0, deviceWidth, deviceHeight, 0, x, y, to, to + 4);
      const view = new DataView(pdfium.HEAPU8.buffer, to, 8);
      return [view.getInt32(0, true) / unitsPerPoint, view.getInt32(4, true) / unitsPerPoint];
    });
  const [originX, originY] = shown(0, 0);
  const [rightX, rightY] = shown(span, 0);
  const [upX, upY] = shown(0, span);
  // Right angles only.
  const [ax, ay] = [Math.round((rightX - originX) / span), Math.round((rightY - originY) / span)];
  const [bx, by] = [Math.round((upX - originX) / span), Math.round((upY - originY) / span)];
  if (ax === 1 && by === -1 && Math.abs(originX) < 0.05 && Math.abs(originY - height) < 0.05) return (same) => same;
  // Characters are measured from the upper edge of a page of this height.
  const point = (x: number, top: number): readonly [number, number] => {
    const y = height - top;
    return [originX + ax * x + bx * y, originY + ay * x + by * y];
  };
  return ({ x, y, shape: [a, b, c, d], colour, box }) => {
    const [shownX, shownY] = point(x, y);
    const corners = [point(box.left, box.top), point(box.right, box.bottom)];
    const [horizontal, vertical] = [corners.map(([each]) => each), corners.map(([, each]) => each)];
    return {
      x: shownX,
      y: shownY,
      shape: [ax * a + bx * b, -(ay * a + by * b), ax * c + bx * d, -(ay * c + by * d)],
      colour,
      box: {
        left: Math.min(...horizontal),
        right: Math.max(...horizontal),
        top: Math.min(...vertical),
        bottom: Math.max(...vertical),
      },
    };
  };
}

interface Place {
  readonly text: number;
  readonly index: number;
  /** Pointer to memory for results. */
  readonly scratch: number;
  readonly height: number;
}

function readCharacter(pdfium: Pdfium, { text, index, scratch, height }: Place): Located {
  // A call may grow the memory, which replaces its buffer.
  const view = (): DataView => new DataView(pdfium.HEAPU8.buffer, scratch, scratchBytes);
  pdfium._FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
  const [x, y] = [view().getFloat64(0, true), height - view().getFloat64(8, true)];
  pdfium._FPDFText_GetMatrix(text, index, scratch);
  const size = pdfium._FPDFText_GetFontSize(text, index);
  const factor = (offset: number): number => view().getFloat32(offset, true) * size;
  const shape = [factor(0), factor(4), factor(8), factor(12)] as const;
  pdfium._FPDFText_GetFillColor(text, index, scratch, scratch + 4, scratch + 8, scratch + 12);
  const colour = [0, 4, 8, 12].map((offset) => view().getUint32(offset, true)).join(' ');
  // FS_RECTF: left, top, right, bottom.
  pdfium._FPDFText_GetLooseCharBox(text, index, scratch);
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => view().getFloat32(offset, true));
  const box = { left: left ?? 0, top: height - (top ?? 0), right: right ?? 0, bottom: height - (bottom ?? 0) };
  return { x, y, shape, colour, box };
}

/** The name of a character's font. `known` holds the names of the page's fonts by pointer. */
function readFont(
  pdfium: Pdfium,
  known: Map<number, string>,
  { text, index, buffer }: { readonly text: number; readonly index: number; readonly buffer: number },
): string {
  const textObject = pdfium._FPDFText_GetTextObject(text, index);
  const font = textObject === 0 ? 0 : pdfium._FPDFTextObj_GetFont(textObject);
  const found = known.get(font);
  if (found !== undefined) return found;
  const bytes = font === 0 ? 0 : pdfium._FPDFFont_GetBaseFontName(font, buffer, maxFontNameBytes);
  const isRead = bytes >= 1 && bytes <= maxFontNameBytes;
  const name = isRead ? Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + bytes - 1)).toString('utf8') : '';
  const isEmbedded = font !== 0 && pdfium._FPDFFont_GetIsEmbedded(font) === 1;
  const shown = `${name.replace(subsetPrefix, '')}${isEmbedded ? '' : ' (not embedded)'}`;
  known.set(font, shown);
  return shown;
}
