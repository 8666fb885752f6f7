import type { FontSubsetter } from './fonts/font-subset.ts';
import type { TextFontOf } from './fonts/text-font.ts';
import { UnknownFeature } from './unknown-feature.ts';
import { embedFont, UsedFont } from './write/embed-font.ts';
import { PdfObjects, pdfNumber } from './write/pdf-objects.ts';

/** The size of a page in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** A PDF that holds a drawing for each size: the object numbers of form XObjects (ISO 32000-1, 8.10). */
export interface DrawnWatermark {
  readonly pdf: Uint8Array;
  readonly forms: readonly number[];
}

/** The font of LibreOffice's watermarks. Its size does not matter, because only proportions are used. */
const choice = {
  family: 'Helvetica',
  isBold: false,
  isItalic: false,
  halfPoints: 200,
  isKerned: true,
  position: 'baseline',
  spacing: 0,
} as const;

const readLeftToRight = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;

/**
 * Draws a text as LibreOffice's export draws a watermark (`PDFExport::ImplWriteWatermark`): in green, half transparent,
 * as large as fits along the longer side of the page, and downwards on upright pages. Throws UnknownFeature for
 * characters that LibreOffice takes from another font.
 */
export function drawWatermark(
  text: string,
  sizes: readonly PageSize[],
  fontOf: TextFontOf,
  subsetter: FontSubsetter,
): DrawnWatermark {
  if (!readLeftToRight.test(text)) throw new UnknownFeature('a watermark in another script');
  const { face, shape } = fontOf(choice);
  const word = shape(text);
  const font = new UsedFont(face, 'F');
  font.use(word);
  const objects = new PdfObjects();
  const fontNumber = embedFont(objects, font, subsetter);
  const metrics = {
    advances: word.glyphs.map(({ advance }) => advance / face.unitsPerEm),
    ascent: face.ascent / face.unitsPerEm,
    descent: face.descent / face.unitsPerEm,
  };
  const glyphs = word.glyphs.map(({ id }) => id.toString(16).padStart(4, '0'));
  const forms = sizes.map((size) => {
    const { height, places } = placeText(metrics, size);
    const shown = places.map((matrix, index) => `${matrix} Tm <${glyphs[index]}> Tj`);
    const addForm = (entries: string, content: string): number => {
      const box = `[0 0 ${pdfNumber(size.width)} ${pdfNumber(size.height)}]`;
      const dictionary = `/Type /XObject /Subtype /Form /BBox ${box} ${entries}`;
      return objects.addStream(dictionary, Buffer.from(content, 'latin1'));
    };
    // The text is transparent as a group, so that overlapping letters do not show through each other.
    const group = addForm(
      `/Group <</S /Transparency /CS /DeviceRGB /K true>> /Resources <</Font <</F ${fontNumber} 0 R>>>>`,
      `0 1 0 rg BT /F ${height} Tf\n${shown.join('\n')}\nET`,
    );
    const state = '/ExtGState <</G <</CA 0.5 /ca 0.5>>>>';
    return addForm(`/Resources <<${state} /XObject <</T ${group} 0 R>>>>`, '/G gs /T Do');
  });
  const pages = objects.add('<</Type /Pages /Count 0 /Kids []>>');
  const catalog = objects.add(`<</Type /Catalog /Pages ${pages} 0 R>>`);
  return { pdf: objects.end(catalog, objects.add('<<>>')), forms };
}

/** The dimensions of a text at font size 1. */
interface Metrics {
  readonly advances: readonly number[];
  readonly ascent: number;
  readonly descent: number;
}

/** The font size, and the matrix of each glyph. LibreOffice calculates in whole points here. */
function placeText(metrics: Metrics, page: PageSize): { height: number; places: string[] } {
  const { advances, ascent, descent } = metrics;
  const [pageWidth, pageHeight] = [Math.floor(page.width), Math.floor(page.height)];
  const isUpright = pageWidth < pageHeight;
  const [room, across] = isUpright ? [pageHeight, pageWidth] : [pageWidth, pageHeight];
  const total = advances.reduce((sum, advance) => sum + advance, 0);
  const height = fittingHeight(Math.floor((3 * pageHeight) / 4), total, room);
  const below = Math.round(descent * height);
  const textHeight = Math.round(ascent * height) + below;
  const thickness = textHeight + Math.floor(textHeight / 20);
  const start = Math.trunc((room - Math.round(total * height)) / 2);
  const edge = Math.trunc((across - thickness) / 2);
  let passed = 0;
  const places = advances.map((advance) => {
    const along = passed * height;
    // In a horizontal line, LibreOffice relies on the glyph widths in the file, which are whole thousandths.
    passed += isUpright ? advance : Math.floor(advance * 1000) / 1000;
    // The distances are measured from the upper left corner of the page.
    return isUpright
      ? `0 -1 1 0 ${edge + below} ${pdfNumber(page.height - start - Math.round(along))}`
      : `1 0 0 1 ${pdfNumber(start + along)} ${pdfNumber(page.height - across + edge + below)}`;
  });
  return { height, places };
}

/** The largest font size at which the text is at most `room` wide, found with LibreOffice's algorithm. */
function fittingHeight(highest: number, widthOfOne: number, room: number): number {
  let height = highest;
  for (let width = Math.round(widthOfOne * height); width > room && height > 1; ) {
    height = Math.min(height - 1, Math.floor((height * room) / width));
    width = Math.round(widthOfOne * height);
  }
  return Math.max(1, height);
}
