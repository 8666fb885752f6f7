import { openTextFonts } from '../../../../src/worker/pdf/direct/fonts/text-font.ts';
import type { LineContext } from '../../../../src/worker/pdf/direct/layout/line-context.ts';
import { testFonts } from '../../../support/fonts.ts';
import type { Inline, Paragraph, RunFormat } from '../../../../src/worker/pdf/direct/document/tree.ts';

const run: RunFormat = {
  family: 'Carlito',
  halfPoints: 22,
  isBold: false,
  isItalic: false,
  underline: 'none',
  isStruck: false,
  color: undefined,
  shading: undefined,
  isUpperCase: false,
  isHidden: false,
  position: 'baseline',
  isKerned: false,
  spacing: 0,
};
const format: Paragraph['format'] = {
  alignment: 'left',
  before: 0,
  hasAutoBefore: false,
  hasAutoAfter: false,
  after: 0,
  line: 240,
  lineRule: 'auto',
  left: 0,
  right: 0,
  firstLine: 0,
  tabs: [],
  hasContextualSpacing: false,
  hasWidowControl: false,
  keepsLines: false,
  keepsWithNext: false,
  breaksPageBefore: false,
  keepsWords: false,
  shading: undefined,
  borderTop: undefined,
  borderBottom: undefined,
  borderLeft: undefined,
  borderRight: undefined,
  outlineLevel: undefined,
  numbering: { id: '0', level: 0 },
};

/** What lines are filled with in a document for Word 2013. */
export const lineContext: LineContext = {
  fontOf: openTextFonts(testFonts),
  addsSpaces: false,
  tabDistance: 720,
  slack: 0.05,
  isOfWord2013: true,
  keepsBrokenLines: false,
  structure: undefined,
  numbers: undefined,
};

/** A paragraph; a line feed in its text ends a line. */
export function textParagraph(text: string, more: Partial<Paragraph['format']> = {}): Paragraph {
  const inlines = text
    .split('\n')
    .flatMap((line, index): Inline[] => [
      ...(index === 0 ? [] : [{ kind: 'line-break' as const, isOfLabel: false, format: run }]),
      ...(line === '' ? [] : [{ kind: 'text' as const, text: line, format: run, link: undefined, isApart: true }]),
    ]);
  return {
    kind: 'paragraph',
    style: '',
    format: { ...format, ...more },
    inlines,
    anchored: [],
    notes: [],
    keepsItself: false,
    styleHalfPoints: run.halfPoints,
    mark: run,
    outline: undefined,
  };
}
