/** One twip is 1/20 of a point. All lengths of this tree are whole twips. */
export interface FontChoice {
  readonly family: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly halfPoints: number;
}

export interface TextRun {
  /** A line feed ends a line. */
  readonly text: string;
  readonly font: FontChoice;
}

export type LineRule = 'auto' | 'exact' | 'atLeast';

export interface Paragraph {
  readonly runs: readonly TextRun[];
  /** The font of the paragraph mark, which gives an empty paragraph its height. */
  readonly markFont: FontChoice;
  readonly style: string;
  readonly before: number;
  readonly after: number;
  /** 240ths of a line for the rule `auto`, otherwise twips. */
  readonly line: number;
  readonly lineRule: LineRule;
  readonly left: number;
  readonly right: number;
  /** Of the first line, added to `left`; negative for a hanging indent. */
  readonly firstLine: number;
  readonly hasContextualSpacing: boolean;
  /** Whether at least two lines stay together on each side of a page end. */
  readonly hasWidowControl: boolean;
  readonly keepsLines: boolean;
}

export interface Cell {
  readonly paragraphs: readonly Paragraph[];
  /** The space for text between the cell's margins. */
  readonly textWidth: number;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** In twips; 0 for a height that follows from the text. */
  readonly exactHeight: number;
  readonly canSplit: boolean;
}
