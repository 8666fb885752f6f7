import type { StructureElement } from '../layout/structure.ts';
import { type PdfObjects, textString } from './pdf-objects.ts';

/** An element of the structure and its content, in the form in which it is written. */
export interface StructureNode {
  readonly number: number;
  readonly role: string;
  readonly parent: number;
  /** Further entries of its dictionary. */
  readonly attributes: string;
  /** Its child elements and marked content, in order. */
  readonly kids: string[];
  /** The object number of the page on which its content begins. */
  page: number | undefined;
}

/** The structure of a document (ISO 32000-1, 14.7), built while the pages are drawn. */
export class StructureTree {
  readonly #objects: PdfObjects;
  readonly #pages: readonly number[];
  readonly #root: number;
  readonly #nodes = new Map<StructureElement, StructureNode>();
  /** Nodes that do not come from elements. */
  readonly #parts: StructureNode[] = [];
  /** The element of each piece of marked content, by page. */
  readonly #contents: number[][];
  /** The element of each link annotation. */
  readonly #links: StructureNode[] = [];
  /** The object numbers of notes, in ascending order. */
  readonly #notes: number[] = [];

  /** `pages` are the object numbers of the pages. */
  constructor(objects: PdfObjects, pages: readonly number[]) {
    this.#objects = objects;
    this.#pages = pages;
    this.#root = objects.reserve();
    this.#contents = pages.map(() => []);
  }

  /** The node of an element. Adds its missing ancestors, each where it first appears. */
  nodeOf(element: StructureElement): StructureNode {
    const known = this.#nodes.get(element);
    if (known !== undefined) return known;
    const node = this.#newNode(element.role, element.parent, attributesOf(element));
    this.#nodes.set(element, node);
    if (element.role === 'Note') this.#notes.push(node.number);
    return node;
  }

  newLink(element: StructureElement): StructureNode {
    const node = this.#newNode('Link', element, '');
    this.#parts.push(node);
    return node;
  }

  /** The annotation entry that refers to the element of the link. */
  linkEntryOf(node: StructureNode): string {
    return ` /StructParent ${this.#pages.length + this.#links.push(node) - 1}`;
  }

  newFigure(element: StructureElement, description: string): StructureNode {
    const node = this.#newNode('Figure', element, description === '' ? '' : ` /Alt ${textString(description)}`);
    this.#parts.push(node);
    return node;
  }

  /** Adds marked content of a page to an element; returns its id (MCID) on the page. */
  addContent(node: StructureNode, page: number): number {
    const contents = this.#contents[page] ?? [];
    const id = contents.push(node.number) - 1;
    const at = this.#pages[page] ?? 0;
    node.page ??= at;
    node.kids.push(node.page === at ? String(id) : `<</Type /MCR /Pg ${at} 0 R /MCID ${id}>>`);
    return id;
  }

  /** Adds an annotation of a page to the element of its link; returns its object number. */
  addLink(annotation: string, node: StructureNode, page: number): number {
    const number = this.#objects.add(annotation);
    node.page ??= this.#pages[page] ?? 0;
    node.kids.push(`<</Type /OBJR /Obj ${number} 0 R>>`);
    return number;
  }

  /** The entry by which the content of a page refers to its elements. */
  entryOf(page: number): string {
    return this.#contents[page]?.length === 0 ? '' : ` /StructParents ${page}`;
  }

  /** Writes the tree; returns the object number of its root. */
  write(): number {
    const objects = this.#objects;
    const tops: number[] = [];
    for (const { number, role, parent, attributes, kids, page } of [...this.#nodes.values(), ...this.#parts]) {
      if (parent === this.#root) tops.push(number);
      const on = page === undefined ? '' : ` /Pg ${page} 0 R`;
      const inner = kids.length === 0 ? '' : ` /K ${kids.length === 1 ? kids[0] : `[${kids.join(' ')}]`}`;
      const id = role === 'Note' ? ` /ID ${noteId(number)}` : '';
      objects.set(number, `<</Type /StructElem /S /${role} /P ${parent} 0 R${on}${id}${attributes}${inner}>>`);
    }
    const ofPages = this.#contents.map((numbers, index) =>
      numbers.length === 0 ? '' : `${index} [${references(numbers)}] `,
    );
    const ofLinks = this.#links.map(({ number }, index) => `${this.#pages.length + index} ${number} 0 R `);
    const parents = objects.add(`<</Nums [${ofPages.join('')}${ofLinks.join('')}]>>`);
    const next = this.#pages.length + this.#links.length;
    const names = this.#notes.map((number) => `${noteId(number)} ${number} 0 R`).join(' ');
    const ids = names === '' ? '' : ` /IDTree <</Names [${names}]>>`;
    objects.set(
      this.#root,
      `<</Type /StructTreeRoot /K [${references(tops)}] /ParentTree ${parents} 0 R /ParentTreeNextKey ${next}${ids}>>`,
    );
    return this.#root;
  }

  #newNode(role: string, parent: StructureElement | undefined, attributes: string): StructureNode {
    const number = this.#objects.reserve();
    const above = parent === undefined ? undefined : this.nodeOf(parent);
    above?.kids.push(`${number} 0 R`);
    return { number, role, parent: above?.number ?? this.#root, attributes, kids: [], page: undefined };
  }
}

/** The attributes of a list (14.8.5.5), or of a cell that is a column heading or spans columns or rows (14.8.5.7). */
function attributesOf({ role, columns = 1, rows = 1, numbering }: StructureElement): string {
  if (numbering !== undefined) return ` /A <</O /List /ListNumbering /${numbering}>>`;
  const spans = `${columns > 1 ? ` /ColSpan ${columns}` : ''}${rows > 1 ? ` /RowSpan ${rows}` : ''}`;
  const scope = role === 'TH' ? ' /Scope /Column' : '';
  return spans === '' && scope === '' ? '' : ` /A <</O /Table${scope}${spans}>>`;
}

const idDigits = 10;

/** All ids have the same length, because a name tree must be sorted (7.9.6). */
function noteId(number: number): string {
  return `(note-${String(number).padStart(idDigits, '0')})`;
}

function references(numbers: readonly number[]): string {
  return numbers.map((number) => `${number} 0 R`).join(' ');
}
