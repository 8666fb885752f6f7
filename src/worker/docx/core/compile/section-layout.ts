import type { SectionLayout } from '../nodes.ts';
import { absentSetups, openingSetup, setupsIn } from '../page-sections.ts';
import { isTag, type ParsedPiece } from '../parsed-piece.ts';
import type { ParagraphBreak } from './across-paragraphs.ts';

export const pageBreakRun = '<w:r><w:br w:type="page"/></w:r>';
export const pageBreakParagraph = `<w:p>${pageBreakRun}</w:p>`;

/** The content of a section, without the paragraph that holds the page setup of its opening tag, if there is one. */
export interface SectionContent {
  readonly opening: string;
  readonly pieces: readonly ParsedPiece[];
}

export function sectionContent({ subparsed = [] }: ParsedPiece): SectionContent {
  const end = subparsed.findIndex((piece) => isTag(piece, 'w:p', 'end'));
  const first = subparsed.slice(0, end + 1);
  const isOpening = first.some(({ type, value }) => type === 'content' && value.includes(openingSetup));
  if (!isOpening || first.some(({ type }) => type === 'placeholder')) return { opening: '', pieces: subparsed };
  const opening = first.map(({ value }) => value).join('');
  return { opening, pieces: subparsed.slice(end + 1) };
}

/**
 * Page breaks of the paragraphs that hold a section's tags, as in docxtemplater's loops, except that an empty section adds
 * none; and the page setups in the section and in the paragraph of its opening tag.
 */
export function sectionLayout(
  piece: ParsedPiece,
  { opening, pieces }: SectionContent,
  paragraphs: ParagraphBreak | undefined,
): SectionLayout | undefined {
  const first = pieces.find((inner) => inner.type !== 'content');
  const coversParagraphs = first !== undefined && first.tag !== 'w:t';
  const layout: SectionLayout = {
    between: paragraphs?.between,
    opening,
    breaksBefore: piece.hasPageBreakBeginning === true && coversParagraphs,
    breaksAfterLast: piece.hasPageBreak === true && coversParagraphs,
    dropsFrames: piece.sectPrCount === 1,
    isContinuous: piece.addContinuousType === true,
    whenEmpty: emptyText(piece),
  };
  const isPlain = Object.values(layout).every((entry) => entry === false || entry === undefined || entry === '');
  return isPlain ? undefined : layout;
}

function emptyText(piece: ParsedPiece): string {
  const setup = piece.lastParagrapSectPr;
  if (setup && piece.paragraphLoop !== true) return `</w:t></w:r></w:p><w:p><w:pPr>${setup}</w:pPr><w:r><w:t>`;
  return piece.paragraphLoop === true ? absentSetups(setupsIn(markupOf(piece.subparsed ?? []))) : '';
}

function markupOf(pieces: readonly ParsedPiece[]): string {
  const texts = pieces.map(({ type, value, subparsed, node }) => {
    if (subparsed !== undefined) return markupOf(subparsed);
    // A node may replace an element of the template.
    return type === 'placeholder' && (node === undefined || !value.startsWith('<')) ? '' : value;
  });
  return texts.join('');
}
