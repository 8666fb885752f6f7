import { palette } from '../palette.ts';
import { listIds } from './numbering.ts';

export type ParagraphStyle = {
  readonly id: string;
  readonly name: string;
  readonly isBuiltIn?: boolean;
  readonly basedOn?: string;
  readonly next?: string;
  readonly font?: 'body' | 'heading';
  readonly sizePt?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly caps?: boolean;
  readonly color?: string;
  readonly letterSpacingPt?: number;
  readonly beforePt?: number;
  readonly afterPt?: number;
  readonly line?: number;
  readonly leftPt?: number;
  readonly hangingPt?: number;
  readonly align?: 'left' | 'center' | 'right' | 'both';
  readonly keepNext?: boolean;
  readonly keepLines?: boolean;
  readonly pageBreakBefore?: boolean;
  readonly contextualSpacing?: boolean;
  readonly outlineLevel?: number;
  readonly ruleAbove?: string;
  readonly ruleBelow?: string;
  readonly numbering?: { readonly id: number; readonly level: number };
  readonly tabs?: string;
};

const { green, ink, line, muted, leaf } = palette;
const isBuiltIn = true;
const keep = { keepNext: true, keepLines: true } as const;
const rightTab = (positionPt: number): string => `<w:tab w:val="right" w:leader="dot" w:pos="${positionPt * 20}"/>`;

const headings: readonly ParagraphStyle[] = [
  {
    id: 'Title',
    name: 'Title',
    isBuiltIn,
    next: 'Normal',
    font: 'heading',
    sizePt: 26,
    color: green,
    afterPt: 4,
    line: 1,
  },
  { id: 'Subtitle', name: 'Subtitle', isBuiltIn, next: 'Normal', sizePt: 13, color: muted, afterPt: 12, line: 1.1 },
  {
    id: 'Heading1',
    name: 'heading 1',
    isBuiltIn,
    next: 'Normal',
    ...keep,
    outlineLevel: 0,
    font: 'heading',
    sizePt: 18,
    color: green,
    beforePt: 18,
    afterPt: 6,
    line: 1.05,
  },
  {
    id: 'Heading2',
    name: 'heading 2',
    isBuiltIn,
    next: 'Normal',
    ...keep,
    outlineLevel: 1,
    font: 'heading',
    sizePt: 13.5,
    color: leaf,
    beforePt: 16,
    afterPt: 4,
    line: 1.05,
  },
  {
    id: 'Heading3',
    name: 'heading 3',
    isBuiltIn,
    next: 'Normal',
    ...keep,
    outlineLevel: 2,
    sizePt: 11,
    bold: true,
    color: ink,
    beforePt: 10,
    afterPt: 3,
    line: 1.05,
  },
];

const lists: readonly ParagraphStyle[] = [
  {
    id: 'ListBullet',
    name: 'List Bullet',
    isBuiltIn,
    numbering: { id: listIds.bullets, level: 0 },
    afterPt: 3,
    contextualSpacing: false,
  },
  {
    id: 'ClauseHeading',
    name: 'Clause Heading',
    ...keep,
    next: 'Clause',
    outlineLevel: 0,
    numbering: { id: listIds.clauses, level: 0 },
    font: 'heading',
    sizePt: 12,
    bold: true,
    color: green,
    beforePt: 14,
    afterPt: 4,
  },
  { id: 'Clause', name: 'Clause', numbering: { id: listIds.clauses, level: 1 }, align: 'both', afterPt: 5 },
  { id: 'Subclause', name: 'Subclause', numbering: { id: listIds.clauses, level: 2 }, align: 'both', afterPt: 4 },
  { id: 'Party', name: 'Party', numbering: { id: listIds.parties, level: 0 }, align: 'both', keepLines: true },
];

const pageFurniture: readonly ParagraphStyle[] = [
  { id: 'Header', name: 'header', isBuiltIn, sizePt: 9, color: muted, afterPt: 0, line: 1 },
  { id: 'Footer', name: 'footer', isBuiltIn, sizePt: 8.5, color: muted, afterPt: 0, line: 1.1 },
  { id: 'TOCHeading', name: 'TOC Heading', isBuiltIn, font: 'heading', sizePt: 18, color: green, afterPt: 10 },
  { id: 'TOC1', name: 'toc 1', isBuiltIn, bold: true, beforePt: 7, afterPt: 2, tabs: rightTab(470) },
  { id: 'TOC2', name: 'toc 2', isBuiltIn, leftPt: 14, afterPt: 1, tabs: rightTab(470) },
  { id: 'FootnoteText', name: 'footnote text', isBuiltIn, sizePt: 8.5, color: muted, afterPt: 0, line: 1 },
];

const house: readonly ParagraphStyle[] = [
  { id: 'Letterhead', name: 'Letterhead', font: 'heading', sizePt: 19, color: green, afterPt: 0, line: 1 },
  { id: 'SmallPrint', name: 'Small Print', sizePt: 8.5, color: muted, afterPt: 0, line: 1.1 },
  {
    id: 'Label',
    name: 'Label',
    sizePt: 8,
    color: muted,
    caps: true,
    letterSpacingPt: 0.6,
    afterPt: 1,
    line: 1,
    keepNext: true,
  },
  { id: 'Lead', name: 'Lead', sizePt: 12, color: green, afterPt: 8, line: 1.15 },
  { id: 'Rule', name: 'Rule', sizePt: 4, afterPt: 4, line: 1, ruleBelow: line },
  { id: 'SignatureLine', name: 'Signature Line', sizePt: 8.5, color: muted, afterPt: 0, line: 1, ruleAbove: muted },
  { id: 'KeyFigure', name: 'Key Figure', font: 'heading', sizePt: 20, color: green, afterPt: 0, line: 1 },
  { id: 'CoverTitle', name: 'Cover Title', basedOn: 'Title', sizePt: 36, afterPt: 8 },
  { id: 'Recipient', name: 'Recipient', font: 'heading', sizePt: 32, color: ink, align: 'center', afterPt: 6, line: 1 },
  { id: 'Gap', name: 'Gap', sizePt: 2, afterPt: 0, line: 1 },
];

const tables: readonly ParagraphStyle[] = [
  { id: 'TableText', name: 'Table Text', sizePt: 10, afterPt: 0, line: 1.05 },
  { id: 'TableDetail', name: 'Table Detail', basedOn: 'TableText', sizePt: 8.5, color: muted },
  { id: 'TableNumber', name: 'Table Number', basedOn: 'TableText', align: 'right' },
  {
    id: 'TableHeading',
    name: 'Table Heading',
    basedOn: 'TableText',
    sizePt: 9,
    bold: true,
    color: green,
    keepNext: true,
  },
  { id: 'TableHeadingNumber', name: 'Table Heading Number', basedOn: 'TableHeading', align: 'right' },
  { id: 'TableTotal', name: 'Table Total', basedOn: 'TableText', sizePt: 12, bold: true, color: palette.white },
  { id: 'TableTotalNumber', name: 'Table Total Number', basedOn: 'TableTotal', align: 'right' },
];

export const paragraphStyles: readonly ParagraphStyle[] = [
  ...headings,
  ...lists,
  ...pageFurniture,
  ...house,
  ...tables,
];
