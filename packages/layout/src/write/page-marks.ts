import type { Item } from '../layout/items.ts';
import type { StructureElement } from '../layout/structure.ts';
import type { LinkNode, StructureNode, StructureTree } from './structure-tree.ts';

/**
 * Operators that mark the content of a page as part of the document's structure, or as an artifact (ISO 32000-1, 14.6
 * and 14.8.2.2).
 */
export class PageMarks {
  /** The elements of links, in page order; undefined for links in repeated text. */
  readonly links: (LinkNode | undefined)[] = [];
  readonly #tree: StructureTree;
  readonly #page: number;
  #open: StructureNode | 'artifact' | undefined;

  constructor(tree: StructureTree, page: number) {
    this.#tree = tree;
    this.#page = page;
  }

  /** Reserves the position of an item's elements in the structure before other items are drawn. */
  expect(item: Item): void {
    if (item.kind === 'page-picture' && item.element !== undefined) this.#tree.nodeOf(item.element);
    if (item.kind !== 'line' || item.elements === undefined) return;
    const { text, label } = item.elements;
    if (item.line.fragments.length === 0) this.emptyLine(text);
    else for (const element of [label, text]) if (element !== undefined) this.#tree.nodeOf(element);
  }

  /** Call before drawing rules, areas and everything that repeats on pages. */
  artifact(): string {
    if (this.#open === 'artifact') return '';
    const end = this.end();
    this.#open = 'artifact';
    return `${end}/Artifact BMC`;
  }

  /** Call before drawing text of an element. */
  text(element: StructureElement | undefined): string {
    return element === undefined ? this.artifact() : this.#enter(this.#tree.nodeOf(element));
  }

  /** Call before drawing the text of a link in an element. */
  link(element: StructureElement | undefined): string {
    const node = element === undefined ? undefined : this.#tree.newLink(element);
    this.links.push(node);
    return node === undefined ? this.artifact() : this.#enter(node);
  }

  /** Call before drawing a picture in an element. */
  figure(element: StructureElement | undefined, description: string): string {
    return element === undefined ? this.artifact() : this.#enter(this.#tree.newFigure(element, description));
  }

  /** Call for a line without content: an empty cell is still part of the structure, an empty paragraph is not. */
  emptyLine(element: StructureElement | undefined): void {
    const shown = element?.role === 'P' ? element.parent : element;
    if (shown !== undefined) this.#tree.nodeOf(shown);
  }

  /** Ends the open mark. */
  end(): string {
    const isOpen = this.#open !== undefined;
    this.#open = undefined;
    return isOpen ? 'EMC ' : '';
  }

  #enter(node: StructureNode): string {
    if (this.#open === node) return '';
    const end = this.end();
    this.#open = node;
    return `${end}/${node.role} <</MCID ${this.#tree.addContent(node, this.#page)}>> BDC`;
  }
}
