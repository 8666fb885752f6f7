import type { RenderState } from '../../core/render/render-state.ts';
import type { Scope } from '../../language/scope.ts';
import type { MergeNode, MergeResetNode } from './merge.ts';

/** Begins a vertically merged cell or goes on with it, whatever rows of it are written. */
export function renderMerge(node: MergeNode | MergeResetNode, scope: Scope, { output, budget }: RenderState): void {
  const { merges, pieces } = output;
  if (node.kind === 'merge-reset') {
    for (const group of node.groups) merges.delete(group);
    return;
  }
  const begun = merges.get(node.group) ?? new Set<number>();
  merges.set(node.group, begun);
  const copy = node.isInColumn === true ? (scope.place?.index ?? 0) : 0;
  const xml = begun.has(copy) ? '<w:vMerge/>' : '<w:vMerge w:val="restart"/>';
  begun.add(copy);
  pieces.push(xml);
  budget.write(xml.length, '');
}
