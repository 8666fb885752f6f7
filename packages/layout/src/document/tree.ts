import type { Anchor } from './read-anchor.ts';

/**
 * The parts of a document that determine its pages. Lengths are in twips, 1/20 of a point, unless a name says
 * otherwise.
 */

export interface RunFormat {
  readonly family: string;
  readonly halfPoints: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly underline: 'none' | 'single' | 'double';
  readonly isStruck: boolean;
  /** As RRGGBB; undefined for the automatic colour, which is black on a light background. */
  readonly color: string | undefined;
  /** The shading behind the text, as RRGGBB. */
  readonly shading: string | undefined;
  /** Drawn instead of the shading. It does not affect the automatic text colour. */
  readonly highlight: string | undefined;
  readonly isUpperCase: boolean;
  readonly isHidden: boolean;
  readonly position: 'baseline' | 'superscript' | 'subscript';
  /** Whether pairs of letters are kerned. */
  readonly isKerned: boolean;
  /** Added after each character. */
  readonly spacing: number;
}

/** The width of a line, or of two lines and the gap between them. */
export type BorderLines = readonly [width: number] | readonly [first: number, gap: number, second: number];

/** A border of a paragraph, a table or a cell. */
export interface Border {
  /** The total width of all its lines. */
  readonly width: number;
  /** From the outside in for a paragraph; from left to right and top to bottom in a table. */
  readonly lines: BorderLines;
  /** The space between the line and the text. */
  readonly space: number;
  readonly color: string;
}

export interface TabStop {
  /** Measured from the left margin of the text. */
  readonly position: number;
  readonly alignment: 'left' | 'center' | 'right' | 'decimal' | 'clear';
  readonly leader: '' | '.' | '-' | '_' | '·';
}

export type LineRule = 'auto' | 'exact' | 'atLeast';

export interface ParagraphFormat {
  readonly alignment: 'left' | 'center' | 'right' | 'both';
  readonly before: number;
  readonly after: number;
  /** Whether the spaces above and below it are automatic. */
  readonly hasAutoBefore: boolean;
  readonly hasAutoAfter: boolean;
  /** In 240ths of a line for the rule `auto`, otherwise in twips. */
  readonly line: number;
  readonly lineRule: LineRule;
  readonly left: number;
  readonly right: number;
  /** The indent of the first line, added to `left`; negative for a hanging indent. */
  readonly firstLine: number;
  readonly tabs: readonly TabStop[];
  readonly hasContextualSpacing: boolean;
  readonly hasWidowControl: boolean;
  readonly keepsLines: boolean;
  readonly keepsWithNext: boolean;
  readonly breaksPageBefore: boolean;
  /** Whether its words are never hyphenated, even if the document enables hyphenation. */
  readonly keepsWords: boolean;
  readonly shading: string | undefined;
  readonly borderTop: Border | undefined;
  readonly borderBottom: Border | undefined;
  readonly borderLeft: Border | undefined;
  readonly borderRight: Border | undefined;
  /** 0 for the top heading level; undefined for body text. */
  readonly outlineLevel: number | undefined;
  readonly numbering: NumberingReference;
}

export interface NumberingReference {
  /** '0' for none. */
  readonly id: string;
  readonly level: number;
}

/** The target of a link: an address, a numbered footnote, or the reference to one. Each link has its own object. */
export type LinkTarget = WebTarget | NoteEnd;

export interface WebTarget {
  readonly address: string;
  /** The author's description; undefined if there is none. */
  readonly tip: string | undefined;
}

export interface NoteEnd {
  readonly note: number;
  readonly of: 'reference' | 'note';
}

/** LibreOffice lays it out as a separate portion and draws a space. */
export const noBreakSpace = '\u00a0';

export interface TextInline {
  readonly kind: 'text';
  readonly text: string;
  readonly format: RunFormat;
  readonly link: LinkTarget | undefined;
  /** Whether LibreOffice certainly lays it out separately from the preceding text. */
  readonly isApart: boolean;
}

export interface MarkInline {
  readonly kind: 'tab' | 'line-break' | 'page-break';
  readonly format: RunFormat;
  /** Whether it is the tab after a list label. */
  readonly isOfLabel: boolean;
}

/** The number of the page, or the number of pages. */
export interface FieldInline {
  readonly kind: 'page' | 'pages';
  readonly format: RunFormat;
}

/** The cropping of each side, in hundred-thousandths of the width or height of a picture. */
export type Crop = Readonly<Record<PageSide, number>>;

/** The background and border of a picture. */
export interface PictureFrame {
  /** As RRGGBB. */
  readonly fill: string | undefined;
  /** Drawn inside its edges. */
  readonly line: { readonly width: number; readonly color: string } | undefined;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  readonly crop: Crop | undefined;
  readonly frame: PictureFrame | undefined;
  /** The alternative text: empty if the document has none, undefined for a decorative picture, which needs none. */
  readonly description: string | undefined;
}

export interface PictureInline extends Picture {
  readonly kind: 'picture';
  /** The space kept free beside it. */
  readonly spaceLeft: number;
  readonly spaceRight: number;
  readonly format: RunFormat;
}

/** A picture positioned on its page or relative to its paragraph. */
export interface AnchoredPicture extends Picture {
  readonly anchor: Anchor;
  /** Whether its anchor precedes all text of the paragraph. */
  readonly isAtStart: boolean;
}

/** A footnote on the page that refers to it. */
export interface Footnote {
  readonly number: number;
  readonly blocks: readonly Block[];
  /** The text format of the default style, which determines the height of the space above notes. */
  readonly separator: RunFormat;
}

export type Inline = TextInline | MarkInline | FieldInline | PictureInline;

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly style: string;
  readonly format: ParagraphFormat;
  readonly inlines: readonly Inline[];
  /** The `w:numFmt` of its list label; undefined if it has none. */
  readonly numberFormat: string | undefined;
  readonly anchored: readonly AnchoredPicture[];
  readonly notes: readonly Footnote[];
  /** Whether "keep with next" comes from its own format, not from its style. */
  readonly keepsItself: boolean;
  /** The text size of the paragraph's style. */
  readonly styleHalfPoints: number;
  /** The format of the paragraph mark, which determines the height of an empty paragraph. */
  readonly mark: RunFormat;
  /** Undefined for text that is not a heading. */
  readonly outline: OutlineEntry | undefined;
}

/** A heading in the PDF outline. */
export interface OutlineEntry {
  readonly title: string;
  /** 0 for the first level. */
  readonly level: number;
  /** Whether its text follows a list label. */
  readonly hasLabel: boolean;
  /** Twips from the margin to its leading tab; undefined if it does not begin with a tab. */
  readonly tabLeft: number | undefined;
}

/** The borders that a cell specifies. Where cells touch, only one of the two is drawn. */
export interface CellBorders {
  readonly top: Border | undefined;
  readonly bottom: Border | undefined;
  readonly left: Border | undefined;
  readonly right: Border | undefined;
}

export interface Cell {
  /** The middles of its left and right borders, in parts of the table width. */
  readonly start: number;
  readonly end: number;
  /** The number of twips by which the width of its text may differ in LibreOffice. */
  readonly widthSlack: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly shading: string | undefined;
  readonly borders: CellBorders;
  readonly alignment: 'top' | 'center' | 'bottom';
  /** The number of rows it covers: 1 for most cells, 0 for a cell covered by one above it. */
  readonly rowSpan: number;
  readonly blocks: readonly Block[];
}

export interface Row {
  readonly cells: readonly Cell[];
  /** The shading of the whole table, behind its cells and borders. */
  readonly shading: string | undefined;
  /** 0 for a height that depends on the content. */
  readonly height: number;
  readonly isExact: boolean;
  readonly canSplit: boolean;
  readonly isHeading: boolean;
}

/** In twips, or in percent of the text column. */
export interface Width {
  readonly amount: number;
  readonly unit: 'twips' | 'percent';
}

export interface Table {
  readonly kind: 'table';
  readonly alignment: 'left' | 'center' | 'right';
  /** The distance from the left text margin to the left edge of a left-aligned table. */
  readonly left: number;
  readonly width: Width;
  readonly rows: readonly Row[];
}

/** The number of parts into which LibreOffice divides the width of a table (`UNO_TABLE_COLUMN_SUM`). */
export const tableParts = 10_000;

export type Block = Paragraph | Table;

export interface PageGeometry {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** The distances from the edges of the page to the header and the footer. */
  readonly header: number;
  readonly footer: number;
}

export type PageSide = 'top' | 'left' | 'bottom' | 'right';

/** The borders of each page, all of one kind of line. */
export interface PageBorders {
  readonly sides: readonly PageSide[];
  /** The distances from the page edges to the lines, or to their ends on sides without a line. */
  readonly frame: Readonly<Record<PageSide, number>>;
  /** From left to right and from top to bottom. */
  readonly lines: BorderLines;
  /** As RRGGBB. */
  readonly color: string;
}

/** The header or footer of each kind of page; undefined if the page has none. */
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
  /** The number of its first page; undefined to continue the numbering. */
  readonly firstNumber: number | undefined;
  readonly blocks: readonly Block[];
}

/** The character at which decimal tabs align. */
export type DecimalPoint = '.' | ',';

export interface DocumentTree {
  readonly sections: readonly Section[];
  /** Whether the space below one paragraph and the space above the next add up. Otherwise the larger one applies. */
  readonly addsSpaces: boolean;
  /** The distance between default tab stops; undefined if the document does not specify it. */
  readonly tabDistance: number | undefined;
  /** Whether it requests the layout of Word 2013 or later. */
  readonly isOfWord2013: boolean;
  /** Whether a justified line that ends with a line break is not stretched. */
  readonly keepsBrokenLines: boolean;
  readonly decimalPoint: DecimalPoint;
  readonly properties: DocumentProperties;
}

/** A document's metadata. */
export interface DocumentProperties {
  readonly title: string | undefined;
  readonly subject: string | undefined;
  readonly keywords: string | undefined;
  readonly author: string | undefined;
  /** For example 2026-01-05T09:00:00Z. */
  readonly created: string | undefined;
  /** The language of the text (BCP 47). */
  readonly language: string | undefined;
}
