import type { Docmill } from '@docmill/client';
import { isTemporary } from './is-temporary.ts';
import type { MeasureText, PlacedProblem } from './locate-problems.ts';
import type { Problem } from './problem.ts';

/** The page limit of a preview. */
const shownPages = 20;

export interface DrawnFile {
  readonly pdf: Uint8Array<ArrayBuffer>;
  /** The page count of the whole document. */
  readonly pageCount: number;
  readonly places: readonly (PlacedProblem | undefined)[];
}

/**
 * Draws the pages of a file with its tags as written, and locates each problem. Undefined if the file cannot be laid
 * out.
 *
 * @throws ApiError, ConnectionError when the service is busy or unreachable
 */
export async function drawProblems(
  docmill: Docmill,
  file: Blob,
  problems: readonly Problem[],
  signal: AbortSignal,
): Promise<DrawnFile | undefined> {
  try {
    const [{ toUnfilledTemplate }, { locateProblems }, { openPdf }] = await Promise.all([
      import('./unfilled-template.ts'),
      import('./locate-problems.ts'),
      import('../../pdf/open-pdf.ts'),
    ]);
    const unfilled = toUnfilledTemplate(new Uint8Array(await file.arrayBuffer()));
    if (unfilled === undefined) return undefined;
    const request = { data: unfilled.data, preview: { format: 'pdf', pages: shownPages } } as const;
    const { bytes, pageCount } = await docmill.templates.previewFile(unfilled.file, request, { signal });
    const pdf = await openPdf(bytes);
    try {
      const texts = await Promise.all(Array.from({ length: pdf.pageCount }, (_, page) => pdf.textOf(page)));
      return { pdf: bytes, pageCount, places: locateProblems(problems, texts, createMeasure()) };
    } finally {
      pdf.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isTemporary(error)) throw error;
    return undefined;
  }
}

/**
 * Measures with the browser's fonts. Their widths differ from those of the PDF, but by less than the widths of
 * different letters.
 */
function createMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d');
  return (text, fontFamily) => {
    if (context === null) return text.length;
    context.font = `100px ${fontFamily}`;
    return context.measureText(text).width;
  };
}
