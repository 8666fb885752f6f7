import type { Block, Paragraph } from '../document/tree.ts';

type Heading = 'H1' | 'H2' | 'H3' | 'H4' | 'H5' | 'H6';

/**
 * An element of the structure of a document, for programs that read it aloud or take its text (ISO 32000-1, 14.8.4). Its children are those
 * that name it as their parent, in the order in which they first appear on the pages.
 */
export interface StructureElement {
  readonly role: 'Document' | 'P' | Heading | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD' | 'Note';
  /** Undefined for the document. */
  readonly parent: StructureElement | undefined;
  /** How many columns and rows a cell takes. */
  readonly columns?: number;
  readonly rows?: number;
}

/** The elements of the text of a paragraph, and of the label at the beginning of its first line. */
export interface TextElements {
  readonly text: StructureElement;
  readonly label: StructureElement | undefined;
}

interface OpenList {
  readonly level: number;
  readonly list: StructureElement;
  readonly body: StructureElement;
}

/** The lower levels of Word are those of the sixth one, as in LibreOffice. */
const headings: readonly Heading[] = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'H6', 'H6', 'H6'];

/**
 * Makes the elements of blocks below each other. Without a parent, as in headers and footers, there are none; an only paragraph of a cell is
 * the text of the cell.
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

  /** Paragraphs of one list that follow each other are its items; those of a deeper level are a list in the item above. */
  textOf({ format, inlines }: Paragraph): TextElements | undefined {
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
    const list: StructureElement = known?.list ?? { role: 'L', parent: outer.at(-1)?.body ?? parent };
    const item: StructureElement = { role: 'LI', parent: list };
    const body: StructureElement = { role: 'LBody', parent: item };
    this.#lists = [...outer, { level: numbering.level, list, body }];
    return { text: { role: 'P', parent: body }, label: { role: 'Lbl', parent: item } };
  }

  /** What is no item of a list ends it. */
  endLists(): void {
    this.#lists = [];
  }
}
