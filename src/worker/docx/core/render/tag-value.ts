import { ValueProblem } from '../../language/expressions/value-problem.ts';
import { printValue } from '../../language/print-value.ts';
import type { Scope } from '../../language/scope.ts';
import type { AskingNode } from '../value-node.ts';
import type { RenderState } from './render-state.ts';

/** The value of a tag; null when the data does not fit its expression. The fault is reported at the end of the render. */
export function evaluate(node: AskingNode, scope: Scope, state: RenderState): unknown {
  const { faults } = state;
  try {
    return node.expression.evaluate(scope);
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    const subject = error.path.startsWith('data') ? 'the value' : 'the language';
    faults.add(error.path, `In ${writtenTag(node, state)}, ${subject} ${error.problem}.`);
    if (faults.isFull) faults.throwIfAny();
    return null;
  }
}

/** Records that the data has no value for the tag. */
export function noteMissing(node: AskingNode, scope: Scope, state: RenderState): void {
  const paths = state.missing.add(node, scope);
  if (state.onMissing !== 'error') return;
  for (const { path, nearest } of paths) {
    const hint = nearest === undefined ? undefined : `the data has ${nearest}`;
    state.faults.add(path, `The value of ${writtenTag(node, state)} is missing.`, hint);
  }
}

/** Records that the value cannot be printed; `problem` completes "the value …". */
export function noteProblem(node: AskingNode, problem: string, scope: Scope, state: RenderState): void {
  const { faults } = state;
  if (!faults.isFull) faults.add(node.expression.locate(scope), `The value of ${writtenTag(node, state)} ${problem}.`);
}

/** The text of a value; undefined when it cannot be printed. The fault is reported at the end of the render. */
export function printedText(node: AskingNode, value: unknown, scope: Scope, state: RenderState): string | undefined {
  const printed = printValue(value);
  if ('text' in printed) return printed.text;
  noteProblem(node, printed.problem, scope, state);
  return undefined;
}

/** Writes XML for a tag; `tag` is empty for layout. */
export function writeXml(xml: string, tag: string, { output, budget }: RenderState): void {
  budget.write(xml.length, tag);
  output.pieces.push(xml);
}

/** The tag with the delimiters of the template. */
export function writtenTag({ tag }: Pick<AskingNode, 'tag'>, { delimiters }: Pick<RenderState, 'delimiters'>): string {
  return `${delimiters.open}${tag}${delimiters.close}`;
}
