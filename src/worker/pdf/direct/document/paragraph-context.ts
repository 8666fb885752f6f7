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

/** What the paragraphs of a part need to know of the document around them. */
export interface ParagraphContext extends FormatContext {
  readonly styles: StyleSheet;
  readonly readPicture: ReadPicture;
  /** The address of a relationship outside of the file. */
  readonly linkOf: (id: string) => string | undefined;
  readonly numbering: Numbering;
  readonly lists: ListCounter;
  readonly data: CustomData;
  /** Whether its headings are in the outline of the PDF: not in headers, footers and notes. */
  readonly hasOutline: boolean;
  /** Whether the document divides words at the ends of lines. */
  readonly hyphenates: boolean;
  /** Undefined where notes are not known. */
  readonly footnotes?: Footnotes | undefined;
  /** Of the note that is read. */
  readonly noteNumber?: number | undefined;
  /** The table of contents; undefined where there is none. */
  readonly contents?: ContentsField | undefined;
  /** Undefined in headers, footers and notes, where LibreOffice leaves some of it out. */
  readonly autoSpacing: AutoSpacing | undefined;
  /** The version of Word whose layout the document asks for. */
  readonly compatibilityMode: number;
  /** What the style of the table around a paragraph sets for those that do not set it themselves. */
  readonly tableParagraph?: Partial<ParagraphFormat> | undefined;
  /** The same for runs. */
  readonly tableRun?: Partial<RunFormat> | undefined;
}
