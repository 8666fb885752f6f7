import type { Block, Paragraph } from '../document/tree.ts';

type Heading = 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'H6';

/**
 * An element of the structure of a document, for assistive software and text extraction (ISO 32000-1, 14.8.4). Its
 * children are the elements that name it as their parent, in the order in which they first appear on the pages.
 */
export interface StructureElement {
  readonly role: 'Document' | 'P' | Heading | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD' | 'Note';
  /** Undefined for the root. */
  readonly parent: StructureElement | undefined;
  /** The number of columns and rows that a cell spans. */
  readonly columns?: number;
  readonly rows?: number;
  /** How the labels of a list number its items (14.8.5.5). */
  readonly numbering?: string;
}

/** The root of a document's structure. */
export const documentElement: StructureElement = { role: 'Document', parent: undefined };

/** The elements for the text of a paragraph, and for the label at the beginning of its first line. */
export interface TextElements {
  readonly text: StructureElement;
  readonly label: StructureElement | undefined;
}

interface OpenList {
  readonly level: number;
  readonly list: StructureElement;
  readonly body: StructureElement;
}

/** Levels of Word below the sixth become the sixth, as in LibreOffice. */
const headings: readonly Heading[] = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'H6', 'H6', 'H6'];

/**
 * Creates the elements of consecutive blocks. Without a parent, as in headers and footers, there are none. If a cell
 * has only one paragraph, the cell itself is the element of its text.
 */
export class BlockStructure {
  readonly #parent: StructureElement | undefined;
  readonly #isOnly: boolean;
  #lists: readonly OpenList[] = [];
  #listId = '0';

  constructor(parent: StructureElement | undefined, blocks: readonly Block[]) {
    this.#parent = parent;
    this.#isOnly = blocks.length === 1 && (parent?.role === 'TD' || parent?.role === 'TH');
  }

  /** Consecutive paragraphs of one list are its items. Those of a deeper level form a list within the item above. */
  textOf({ format, inlines, numberFormat }: Paragraph): TextElements | undefined {
    const { numbering, outlineLevel } = format;
    const parent = this.#parent;
    if (parent === undefined) return undefined;
    const heading = outlineLevel === undefined ? undefined : headings[outlineLevel];
    const [first, second] = inlines;
    const hasLabel = first?.kind === 'text' && second?.kind === 'tab' && second.isOfLabel;
    if (heading !== undefined || !hasLabel) {
      this.endLists();
      const isCell = this.#isOnly && heading === undefined;
      return { text: isCell ? parent : { role: heading ?? 'P', parent }, label: undefined };
    }
    if (numbering.id !== this.#listId) this.endLists();
    this.#listId = numbering.id;
    const outer = this.#lists.filter(({ level }) => level < numbering.level);
    const known = this.#lists.find(({ level }) => level === numbering.level);
    const list: StructureElement = known?.list ?? newList(outer.at(-1)?.body ?? parent, numberFormat);
    const item: StructureElement = { role: 'LI', parent: list };
    const body: StructureElement = { role: 'LBody', parent: item };
    this.#lists = [...outer, { level: numbering.level, list, body }];
    return { text: { role: 'P', parent: body }, label: { role: 'Lbl', parent: item } };
  }

  /** Anything that is not a list item ends the list. */
  endLists(): void {
    this.#lists = [];
  }
}

/** The names of ST_NumberFormat (ECMA-376 part 1, 17.18.59) in PDF. */
const numberings: Readonly<Record<string, string>> = {
  bullet: 'Disc',
  decimal: 'Decimal',
  decimalZero: 'Decimal',
  lowerLetter: 'LowerAlpha',
  upperLetter: 'UpperAlpha',
  lowerRoman: 'LowerRoman',
  upperRoman: 'UpperRoman',
};

function newList(parent: StructureElement, numberFormat = ''): StructureElement {
  const numbering = numberings[numberFormat];
  return { role: 'L', parent, ...(numbering !== undefined && { numbering }) };
}
