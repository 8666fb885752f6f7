import { foldedKey } from '../../language/field-path.ts';
import { isLoopHelper } from '../../language/parse-path.ts';
import { anyIndex, anyKey, type Use } from '../../language/use.ts';
import { askedBy, type Node, type PartNodes, type SectionNode } from '../nodes.ts';
import type { AskingNode } from '../value-node.ts';

/**
 * The names that tags look up, sorted: `customer.name`, `items`. An expression contributes each of its names, and the
 * keys that its formatters read in list items. The names of an included template with its own data begin with the name
 * of that data.
 */
export function usedNames(parts: readonly PartNodes[]): readonly string[] {
  const names = new Set<string>();
  for (const { segments, under } of allUses(parts)) {
    const [first = ''] = segments;
    if (first !== '.' && !isLoopHelper(first)) names.add([...under, ...writtenKeys(segments)].join('.'));
  }
  return [...names].sort();
}

/** Every top-level data key that a tag may read, including the literal text of the tag. */
export function rootKeys(parts: readonly PartNodes[]): ReadonlySet<string> {
  const keys = new Set<string>();
  visit(parts, ({ tag }, under) => under.length === 0 && keys.add(tag));
  for (const { segments, under, folded = [] } of allUses(parts)) {
    if (under.length > 0) continue;
    keys.add(segments[0] ?? '').add(writtenKeys(segments).join('.'));
    for (const name of folded) keys.add(foldedKey(name)).add(foldedKey(name.split('.', 1)[0] ?? ''));
  }
  return keys;
}

/** The part of a path that is written in the tag. */
function writtenKeys(segments: readonly string[]): readonly string[] {
  const unknown = segments.findIndex((segment) => segment === anyKey || segment === anyIndex);
  return unknown === -1 ? segments : segments.slice(0, unknown);
}

interface PlacedUse extends Use {
  /** The path of the data of the enclosing included template. */
  readonly under: readonly string[];
}

function allUses(parts: readonly PartNodes[]): PlacedUse[] {
  const uses: PlacedUse[] = [];
  const add = (use: Use, under: readonly string[]) => {
    uses.push({ ...use, under });
    for (const item of use.items ?? []) add(item, under);
  };
  visit(parts, ({ expression }, under) => {
    for (const use of expression.uses('any')) add(use, under);
  });
  return uses;
}

function visit(parts: readonly PartNodes[], onAsking: (node: AskingNode, under: readonly string[]) => void): void {
  const visitNodes = (nodes: readonly Node[], under: readonly string[]) => {
    for (const node of nodes) {
      const asking = askedBy(node);
      if (asking !== undefined) onAsking(asking, under);
      if (node.kind === 'section') visitNodes(node.body, dataOf(node, under));
    }
  };
  for (const part of parts) visitNodes(part.nodes, []);
}

/** The path of the data in which the names of a section's body are looked up. */
function dataOf({ included, expression }: SectionNode, under: readonly string[]): readonly string[] {
  if (included?.hasOwnScope !== true) return under;
  const subject = expression.uses('section').find(({ kind }) => kind === 'section');
  return [...under, ...writtenKeys(subject?.segments ?? [])];
}
