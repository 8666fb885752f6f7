import type { FeatureNode, Node, TextNode } from '../nodes.ts';
import {
  accepts,
  type Child,
  type Container,
  childOfSignal,
  containerEnds,
  isContainer,
  isContainerEnd,
  isPageMark,
  type Mark,
} from '../structure.ts';

/**
 * Joins neighbouring text nodes. A text node keeps its mark, and stays separate, only where a section may leave an
 * element without a required child or repeats a page setup. The renderer then checks only those places.
 */
export function mergeText(nodes: readonly Node[], isWholePart: boolean): readonly Node[] {
  const marks = new MarkSurvey(nodes, isWholePart).marks;
  const merged: Node[] = [];
  let pending: string[] = [];
  const flush = () => {
    if (pending.length > 0) merged.push({ kind: 'text', xml: pending.join(''), mark: undefined });
    pending = [];
  };
  for (const [i, node] of nodes.entries()) {
    const mark = marks.get(i);
    if (node.kind === 'text' && mark === undefined) {
      pending.push(node.xml);
    } else {
      flush();
      merged.push(node.kind === 'text' || hasMark(node) ? { ...node, mark } : node);
    }
  }
  flush();
  return merged;
}

type MarkedNode = (TextNode | FeatureNode) & { readonly mark: Mark };

function hasMark(node: Node): node is MarkedNode {
  return (node.kind === 'text' || node.kind === 'feature') && node.mark !== undefined;
}

interface Frame {
  readonly index: number;
  readonly container: Container;
  child: { readonly kind: Child; readonly index: number } | undefined;
}

/** Finds the marks of a node list that still matter. The content of sections counts as unknown. */
class MarkSurvey {
  readonly marks = new Map<number, Mark>();
  readonly #isWholePart: boolean;
  readonly #open: Frame[] = [];
  #lastSignal: Child | undefined;

  constructor(nodes: readonly Node[], isWholePart: boolean) {
    this.#isWholePart = isWholePart;
    for (const [i, node] of nodes.entries()) {
      if (node.kind === 'section') this.#lastSignal = undefined;
      else if (hasMark(node)) this.#visit(node.mark, i);
    }
    for (const { child } of this.#open) if (child !== undefined) this.marks.set(child.index, `has-${child.kind}`);
  }

  #visit(mark: Mark, index: number): void {
    if (isPageMark(mark)) {
      if (!this.#isWholePart) this.marks.set(index, mark);
    } else if (isContainer(mark)) {
      this.#open.push({ index, container: mark, child: undefined });
      this.marks.set(index, mark);
    } else if (isContainerEnd(mark)) {
      this.marks.set(index, mark);
      const frame = this.#open.at(-1);
      if (frame !== undefined && containerEnds[frame.container] === mark) this.#close(frame, index);
      else this.#lastSignal = undefined;
    } else this.#signal(childOfSignal(mark), index);
  }

  #close(frame: Frame, index: number): void {
    this.#open.pop();
    if (frame.child === undefined) {
      this.#lastSignal = undefined;
      return;
    }
    this.marks.delete(frame.index);
    this.marks.delete(index);
    if (frame.container === 'story') return;
    const isControl = frame.container === 'control' || frame.container === 'control-part';
    this.#signal(isControl ? frame.child.kind : (frame.container as Child), index);
    if (frame.container === 'table') this.marks.set(index, 'has-table');
  }

  #signal(kind: Child, index: number): void {
    const frame = this.#open.at(-1);
    if (frame !== undefined) {
      if (accepts(frame.container, kind)) frame.child ??= { kind, index };
    } else if (!this.#isWholePart && this.#lastSignal !== kind) {
      this.#lastSignal = kind;
      this.marks.set(index, `has-${kind}`);
    }
  }
}
