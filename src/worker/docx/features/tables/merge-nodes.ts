import type { FeatureNode } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';

const mergeNodes = new WeakSet<object>();

/** Notes a node that decides which cell begins a merge. */
export function knownMerge(node: FeatureNode): FeatureNode {
  mergeNodes.add(node);
  return node;
}

/** Whether the piece belongs to the merge of a cell, and shows nothing. */
export function isMergePiece({ node }: ParsedPiece): boolean {
  return node !== undefined && mergeNodes.has(node);
}
