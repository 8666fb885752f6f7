import type { SectionLayout } from '../nodes.ts';
import type { ParsedPiece } from '../parsed-piece.ts';
import type { ParagraphBreak } from './across-paragraphs.ts';

export const pageBreakRun = '<w:r><w:br w:type="page"/></w:r>';
export const pageBreakParagraph = `<w:p>${pageBreakRun}</w:p>`;

/**
 * Page breaks and page setups of the paragraphs that hold a section's tags, as in docxtemplater's loops, except that an empty
 * section adds no page break.
 */
export function sectionLayout(
  piece: ParsedPiece,
  sectionProperties: readonly string[],
  paragraphs: ParagraphBreak | undefined,
): SectionLayout | undefined {
  const first = (piece.subparsed ?? []).find((inner) => inner.type !== 'content');
  const coversParagraphs = first !== undefined && first.tag !== 'w:t';
  const setup = piece.addNextPage === undefined ? undefined : (sectionProperties[piece.addNextPage.index] ?? '');
  const breaksAfterLast = piece.hasPageBreak === true && coversParagraphs;
  const layout: SectionLayout = {
    between: paragraphs?.between,
    breaksBefore: piece.hasPageBreakBeginning === true && coversParagraphs,
    breaksAfterLast,
    breaksAfterEach: setup !== undefined,
    setupBefore: setup === undefined ? undefined : `<w:p><w:pPr>${setup}</w:pPr></w:p>`,
    dropsFrames: piece.sectPrCount === 1,
    isContinuous: piece.addContinuousType === true,
    whenEmpty: emptyText(piece),
  };
  const isPlain = Object.values(layout).every((entry) => entry === false || entry === undefined || entry === '');
  return isPlain ? undefined : layout;
}

function emptyText(piece: ParsedPiece): string {
  const setup = piece.lastParagrapSectPr;
  if (!setup) return '';
  return piece.paragraphLoop === true
    ? `<w:p><w:pPr>${setup}</w:pPr></w:p>`
    : `</w:t></w:r></w:p><w:p><w:pPr>${setup}</w:pPr><w:r><w:t>`;
}
