import type { Anchor } from './read-anchor.ts';

/** The parts of a document that decide its pages. Lengths are twips, 1/20 of a point, unless a name says otherwise. */

export interface RunFormat {
  readonly family: string;
  readonly halfPoints: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly underline: 'none' | 'single' | 'double';
  readonly isStruck: boolean;
  /** RRGGBB; undefined for the automatic colour, which is black on a light background. */
  readonly color: string | undefined;
  /** The shading behind the text, RRGGBB. */
  readonly shading: string | undefined;
  readonly isUpperCase: boolean;
  readonly isHidden: boolean;
  readonly position: 'baseline' | 'superscript' | 'subscript';
  /** Whether pairs of letters are kerned. */
  readonly isKerned: boolean;
  /** Added behind each character. */
  readonly spacing: number;
}

/** The width of a line, or of two lines and the gap between them. */
export type BorderLines = readonly [width: number] | readonly [first: number, gap: number, second: number];

/** A border of a paragraph, a table or a cell. */
export interface Border {
  /** Of all its lines. */
  readonly width: number;
  /** From the outer one of a paragraph; from the left and from above in a table. */
  readonly lines: BorderLines;
  /** Between the line and the text. */
  readonly space: number;
  readonly color: string;
}

export interface TabStop {
  /** From the left margin of the text. */
  readonly position: number;
  readonly alignment: 'left' | 'center' | 'right' | 'decimal' | 'clear';
  readonly leader: '' | '.' | '-' | '_' | '·';
}

export type LineRule = 'auto' | 'exact' | 'atLeast';

export interface ParagraphFormat {
  readonly alignment: 'left' | 'center' | 'right' | 'both';
  readonly before: number;
  readonly after: number;
  /** Whether the program chooses the space above and below it. */
  readonly hasAutoBefore: boolean;
  readonly hasAutoAfter: boolean;
  /** 240ths of a line for the rule `auto`, otherwise twips. */
  readonly line: number;
  readonly lineRule: LineRule;
  readonly left: number;
  readonly right: number;
  /** Of the first line, added to `left`; negative for a hanging indent. */
  readonly firstLine: number;
  readonly tabs: readonly TabStop[];
  readonly hasContextualSpacing: boolean;
  readonly hasWidowControl: boolean;
  readonly keepsLines: boolean;
  readonly keepsWithNext: boolean;
  readonly breaksPageBefore: boolean;
  /** Whether its words are never divided, even if the document hyphenates. */
  readonly keepsWords: boolean;
  readonly shading: string | undefined;
  readonly borderTop: Border | undefined;
  readonly borderBottom: Border | undefined;
  readonly borderLeft: Border | undefined;
  readonly borderRight: Border | undefined;
  /** 0 for the first level of headings; undefined for text. */
  readonly outlineLevel: number | undefined;
  readonly numbering: NumberingReference;
}

export interface NumberingReference {
  /** '0' for none. */
  readonly id: string;
  readonly level: number;
}

/** What a text leads to: an address; the footnote with a number, or where it is referred to. */
export type LinkTarget = string | NoteEnd;

export interface NoteEnd {
  readonly note: number;
  readonly of: 'reference' | 'note';
}

/** LibreOffice lays it out apart from the text around it, and draws a space. */
export const noBreakSpace = '\u00a0';

export interface TextInline {
  readonly kind: 'text';
  readonly text: string;
  readonly format: RunFormat;
  readonly link: LinkTarget | undefined;
  /** Whether LibreOffice certainly lays it out apart from the text before it. */
  readonly isApart: boolean;
}

export interface MarkInline {
  readonly kind: 'tab' | 'line-break' | 'page-break';
  readonly format: RunFormat;
  /** Whether it is the tab behind the label of a list. */
  readonly isOfLabel: boolean;
}

/** The number of the page or of all pages. */
export interface FieldInline {
  readonly kind: 'page' | 'pages';
  readonly format: RunFormat;
}

/** What is cut from the sides of a picture, in hundred-thousandths of its width and height. */
export type Crop = Readonly<Record<PageSide, number>>;

/** What is behind and around a picture. */
export interface PictureFrame {
  /** RRGGBB. */
  readonly fill: string | undefined;
  /** Inside of its edges. */
  readonly line: { readonly width: number; readonly color: string } | undefined;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  readonly crop: Crop | undefined;
  readonly frame: PictureFrame | undefined;
  /** What it shows, for those who cannot see it; empty if the document does not say. */
  readonly description: string;
}

export interface PictureInline extends Picture {
  readonly kind: 'picture';
  /** Kept free beside it. */
  readonly spaceLeft: number;
  readonly spaceRight: number;
  readonly format: RunFormat;
}

/** A picture at a place on its page or beside its paragraph. */
export interface AnchoredPicture extends Picture {
  readonly anchor: Anchor;
  /** Whether it is anchored in front of all text of its paragraph. */
  readonly isAtStart: boolean;
}

/** A note at the end of the page that refers to it. */
export interface Footnote {
  readonly number: number;
  readonly blocks: readonly Block[];
  /** The text of the default style, which gives the space above notes its height. */
  readonly separator: RunFormat;
}

export type Inline = TextInline | MarkInline | FieldInline | PictureInline;

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly style: string;
  readonly format: ParagraphFormat;
  readonly inlines: readonly Inline[];
  readonly anchored: readonly AnchoredPicture[];
  readonly notes: readonly Footnote[];
  /** Whether its own format, and not that of its style, keeps it with the next one. */
  readonly keepsItself: boolean;
  /** The size of the text in the paragraph's style. */
  readonly styleHalfPoints: number;
  /** The format of the paragraph mark, which gives an empty paragraph its height. */
  readonly mark: RunFormat;
  /** Undefined for text that is no heading. */
  readonly outline: OutlineEntry | undefined;
}

/** A heading in the outline of the PDF. */
export interface OutlineEntry {
  readonly title: string;
  /** 0 for the first level. */
  readonly level: number;
  /** Whether its text begins behind the label of a list. */
  readonly hasLabel: boolean;
  /** Twips from the margin to the tab that it begins with; undefined for another beginning. */
  readonly tabLeft: number | undefined;
}

/** The borders that a cell asks for; where cells touch, one of two is drawn. */
export interface CellBorders {
  readonly top: Border | undefined;
  readonly bottom: Border | undefined;
  readonly left: Border | undefined;
  readonly right: Border | undefined;
}

export interface Cell {
  /** Where the middle of its left and right border is, in parts of the width of the table. */
  readonly start: number;
  readonly end: number;
  /** By how many twips the width of its text may be another in LibreOffice. */
  readonly widthSlack: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly shading: string | undefined;
  readonly borders: CellBorders;
  readonly alignment: 'top' | 'center' | 'bottom';
  /** How many rows it takes: 1 for most cells, 0 for one that is covered by a cell above it. */
  readonly rowSpan: number;
  readonly blocks: readonly Block[];
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Of the whole table, behind its cells and borders. */
  readonly shading: string | undefined;
  /** 0 for a height that follows from the content. */
  readonly height: number;
  readonly isExact: boolean;
  readonly canSplit: boolean;
  readonly isHeading: boolean;
}

/** In twips, or in percent of the column of text. */
export interface Width {
  readonly amount: number;
  readonly unit: 'twips' | 'percent';
}

export interface Table {
  readonly kind: 'table';
  readonly alignment: 'left' | 'center' | 'right';
  /** From the left margin of the text to the left edge of a table that is aligned there. */
  readonly left: number;
  readonly width: Width;
  readonly rows: readonly Row[];
}

/** LibreOffice divides the width of a table into so many parts (`UNO_TABLE_COLUMN_SUM`). */
export const tableParts = 10_000;

export type Block = Paragraph | Table;

export interface PageGeometry {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** From the edge of the page to the header and to the footer. */
  readonly header: number;
  readonly footer: number;
}

export type PageSide = 'top' | 'left' | 'bottom' | 'right';

/** Lines of one kind around each page. */
export interface PageBorders {
  readonly sides: readonly PageSide[];
  /** Where the lines are on each side, and end on those without, from the edge of the page. */
  readonly frame: Readonly<Record<PageSide, number>>;
  /** From the left and from above. */
  readonly lines: BorderLines;
  /** RRGGBB. */
  readonly color: string;
}

/** A header or footer for each kind of page; undefined where the page has none. */
export interface Stories {
  readonly default: readonly Block[] | undefined;
  readonly first: readonly Block[] | undefined;
  readonly even: readonly Block[] | undefined;
}

export interface Section {
  readonly geometry: PageGeometry;
  readonly borders: PageBorders | undefined;
  readonly headers: Stories;
  readonly footers: Stories;
  readonly hasFirstPage: boolean;
  readonly hasEvenPages: boolean;
  /** The number of its first page; undefined to go on counting. */
  readonly firstNumber: number | undefined;
  readonly blocks: readonly Block[];
}

export interface DocumentTree {
  readonly sections: readonly Section[];
  /** Whether the spaces below and above two paragraphs add up. Otherwise the larger one counts. */
  readonly addsSpaces: boolean;
  /** Between default tab stops; undefined if the document does not say. */
  readonly tabDistance: number | undefined;
  /** Whether it asks for the layout of Word 2013 or later. */
  readonly isOfWord2013: boolean;
  /** Whether a justified line that ends with a break is not stretched. */
  readonly keepsBrokenLines: boolean;
  readonly properties: DocumentProperties;
}

/** What a document says about itself. */
export interface DocumentProperties {
  readonly title: string | undefined;
  readonly subject: string | undefined;
  readonly keywords: string | undefined;
  readonly author: string | undefined;
  /** Such as 2026-01-05T09:00:00Z. */
  readonly created: string | undefined;
  /** Of its text (BCP 47). */
  readonly language: string | undefined;
}
