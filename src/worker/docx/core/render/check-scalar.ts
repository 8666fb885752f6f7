import { ValueProblem } from '../../language/expressions/value-problem.ts';
import { isLoopHelper } from '../../language/parse-path.ts';
import type { Expression, Scope } from '../../language/scope.ts';
import type { Node, SectionNode } from '../nodes.ts';
import type { RenderState } from './render-state.ts';

/**
 * Records a fault when a section that expects objects gets text or a number, directly or as a list item. A section expects
 * objects when it reads names and none of them is known. If any name resolves, the section is a plain condition.
 */
export function checkScalar(
  node: SectionNode,
  value: string | number,
  scope: Scope,
  path: string,
  state: RenderState,
): void {
  if (state.faults.isFull || !expectsObjects(node.body, scope)) return;
  const kind = typeof value === 'string' ? 'text' : 'a number';
  state.faults.add(path, `The section {#${node.tag}} reads fields of objects, but the value is ${kind}.`);
}

export function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function expectsObjects(body: readonly Node[], scope: Scope): boolean {
  let reads = 0;
  for (const node of body) {
    if (node.kind !== 'value') continue;
    const names = node.expression.uses('print').map(({ segments: [first = ''] }) => first);
    if (names.length === 0 || names.includes('.') || names.some(isLoopHelper)) return false;
    if (isKnown(node.expression, scope)) return false;
    reads += 1;
  }
  return reads > 0;
}

function isKnown(expression: Expression, scope: Scope): boolean {
  try {
    return expression.evaluate(scope) !== undefined;
  } catch (error) {
    if (error instanceof ValueProblem) return true;
    throw error;
  }
}
