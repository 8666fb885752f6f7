import type { LinkTarget } from '../document/tree.ts';
import type { Item, Story } from '../layout/items.ts';
import { documentElement, type StructureElement } from '../layout/structure.ts';
import type { StructureNode, StructureTree } from './structure-tree.ts';

/**
 * Operators that mark the content of a page as part of the document's structure, or as an artifact (ISO 32000-1, 14.6
 * and 14.8.2.2).
 */
export class PageMarks {
  /** The structure elements of the link annotations, in page order, with the annotation entries that refer to them. */
  readonly links: { readonly node: StructureNode; readonly entry: string }[] = [];
  readonly #links = new Map<LinkTarget, StructureNode>();
  readonly #tree: StructureTree;
  readonly #page: number;
  /** The element whose content is open, or the operator that began an artifact. */
  #open: StructureNode | string | undefined;

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

  /** Call before drawing rules, areas, and everything that is repeated on other pages (14.8.2.2.2). */
  artifact(story: Story | undefined): string {
    const operator = story === undefined ? '/Artifact BMC' : `/Artifact <</Type /Pagination /Subtype /${story}>> BDC`;
    if (this.#open === operator) return '';
    const end = this.end();
    this.#open = operator;
    return `${end}${operator}`;
  }

  /** Call before drawing text of an element. */
  text(element: StructureElement | undefined, story: Story | undefined): string {
    return element === undefined ? this.artifact(story) : this.#enter(this.#tree.nodeOf(element));
  }

  /**
   * Call before drawing text of a link. A link is one element on a page, even if it has several formats or lines. In
   * repeated text, only its annotation is part of the structure.
   */
  link(target: LinkTarget, element: StructureElement | undefined, story: Story | undefined): string {
    const node = this.#links.get(target) ?? this.#tree.newLink(element ?? documentElement);
    this.#links.set(target, node);
    this.links.push({ node, entry: this.#tree.linkEntryOf(node) });
    return element === undefined ? this.artifact(story) : this.#enter(node);
  }

  /** Call before drawing a picture in an element. A picture without a description is decorative. */
  figure(element: StructureElement | undefined, description: string | undefined, story: Story | undefined): string {
    if (element === undefined || description === undefined) return this.artifact(story);
    return this.#enter(this.#tree.newFigure(element, description));
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
