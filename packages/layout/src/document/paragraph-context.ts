import type { AutoSpacing } from './auto-spacing.ts';
import type { ContentsField } from './contents-field.ts';
import type { ListCounter } from './count-lists.ts';
import type { CustomData } from './custom-data.ts';
import type { Footnotes } from './read-footnotes.ts';
import type { Numbering } from './read-numbering.ts';
import type { ReadPicture } from './read-picture.ts';
import type { FormatContext } from './run-format.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { ParagraphFormat, RunFormat } from './tree.ts';

/** The facts about the rest of the document that the layout of a part's paragraphs depends on. */
export interface ParagraphContext extends FormatContext {
  readonly styles: StyleSheet;
  readonly readPicture: ReadPicture;
  /** The external address of a relationship. */
  readonly linkOf: (id: string) => string | undefined;
  readonly numbering: Numbering;
  readonly lists: ListCounter;
  readonly data: CustomData;
  /** Whether its headings appear in the PDF outline; false in headers, footers and notes. */
  readonly hasOutline: boolean;
  /** Whether the document hyphenates words at line ends. */
  readonly hyphenates: boolean;
  /** Whether the size and alignment of the default style take precedence over table styles. */
  readonly keepsStyleInTables: boolean;
  /** Undefined where notes are not supported. */
  readonly footnotes?: Footnotes | undefined;
  /** The number of the note that is being read. */
  readonly noteNumber?: number | undefined;
  /** The table of contents; undefined where there is none. */
  readonly contents?: ContentsField | undefined;
  /** Undefined in headers, footers and notes, where LibreOffice drops some of it. */
  readonly autoSpacing: AutoSpacing | undefined;
  /** The version of Word whose layout the document requests. */
  readonly compatibilityMode: number;
  /** The paragraph properties of the enclosing table's style. Paragraphs may override them. */
  readonly tableParagraph?: Partial<ParagraphFormat> | undefined;
  /** Whether the style of the enclosing table takes precedence over the default style. */
  readonly yieldsToTable?: boolean | undefined;
  /** The same for runs. */
  readonly tableRun?: Partial<RunFormat> | undefined;
}
