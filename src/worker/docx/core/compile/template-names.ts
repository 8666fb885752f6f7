import { isLoopHelper } from '../../language/parse-path.ts';
import { anyIndex, anyKey, type Use } from '../../language/use.ts';
import { askedBy, type Node, type PartNodes } from '../nodes.ts';
import type { AskingNode } from '../value-node.ts';

/**
 * The names that tags look up, sorted: `customer.name`, `items`. An expression contributes each of its names, and the keys that its
 * formatters read in the items of a list.
 */
export function usedNames(parts: readonly PartNodes[]): readonly string[] {
  const names = new Set<string>();
  for (const { segments } of allUses(parts)) {
    const [first = ''] = segments;
    if (first !== '.' && !isLoopHelper(first)) names.add(writtenKeys(segments).join('.'));
  }
  return [...names].sort();
}

/** Every top-level data key that a tag may read, including the literal text of the tag. */
export function rootKeys(parts: readonly PartNodes[]): ReadonlySet<string> {
  const keys = new Set<string>();
  visit(parts, ({ tag }) => keys.add(tag));
  for (const { segments } of allUses(parts)) keys.add(segments[0] ?? '').add(writtenKeys(segments).join('.'));
  return keys;
}

/** The part of a path that is written in the tag. */
function writtenKeys(segments: readonly string[]): readonly string[] {
  const unknown = segments.findIndex((segment) => segment === anyKey || segment === anyIndex);
  return unknown === -1 ? segments : segments.slice(0, unknown);
}

function allUses(parts: readonly PartNodes[]): Use[] {
  const uses: Use[] = [];
  const add = (use: Use) => {
    uses.push(use);
    for (const item of use.items ?? []) add(item);
  };
  visit(parts, ({ expression }) => {
    for (const use of expression.uses('any')) add(use);
  });
  return uses;
}

function visit(parts: readonly PartNodes[], onAsking: (node: AskingNode) => void): void {
  const visitNodes = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      const asking = askedBy(node);
      if (asking !== undefined) onAsking(asking);
      if (node.kind === 'section') visitNodes(node.body);
    }
  };
  for (const part of parts) visitNodes(part.nodes);
}
