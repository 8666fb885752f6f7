import type { Scope } from './code.ts';
import { emit, emitTest, testOf } from './emit-xpath.ts';
import { type Expression, parseXPath } from './parse-xpath.ts';

/** The elements to which a rule applies. */
export interface RuleContext {
  /** JavaScript that tests the element `node`. */
  readonly js: string;
  /** The names that the element can have; undefined if it can have any. */
  readonly names: readonly string[] | undefined;
}

/** Compiles an XSLT pattern: alternatives of paths that are matched from their last step upwards. */
export function compileContext(source: string, scope: Scope): RuleContext {
  const alternatives = alternativesOf(parseXPath(source)).map((path) => compileAlternative(path, scope));
  const names = alternatives.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return {
    js: alternatives.map(({ js }) => `(${js})`).join(' || '),
    names: names.length === alternatives.length ? [...new Set(names)] : undefined,
  };
}

function alternativesOf(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'binary' || expression.operator !== '|') return [expression];
  return [...alternativesOf(expression.left), ...alternativesOf(expression.right)];
}

function compileAlternative(path: Expression, scope: Scope): { js: string; name: string | undefined } {
  const conditions: string[] = [];
  let rest: Expression | undefined = path;
  let name: string | undefined;
  for (let above = 0; rest !== undefined; above++) {
    const node = `node${'.parent'.repeat(above)}`;
    if (rest.kind === 'root') {
      conditions.push(`${node}?.kind === 'document'`);
      break;
    }
    if (rest.kind === 'path' && isAnywhere(rest)) break;
    const step: Expression = rest.kind === 'path' ? rest.step : rest;
    const test = compileStep(step, node, scope, conditions);
    if (above === 0 && !test.includes('*')) name = test;
    rest = rest.kind === 'path' ? rest.from : undefined;
  }
  return { js: conditions.map((each) => each.replaceAll('.parent', '?.parent')).join(' && '), name };
}

/** `//` at the start of a pattern: the next element can be anywhere. */
function isAnywhere({ from, step }: Expression & { kind: 'path' }): boolean {
  const isDescendant = step.kind === 'step' && step.axis === 'descendant-or-self';
  if (isDescendant && from.kind !== 'root') throw new Error('a pattern contains // after its start');
  return isDescendant;
}

/** Adds the conditions of a step, and returns its node test. */
function compileStep(step: Expression, node: string, scope: Scope, conditions: string[]): string {
  if (step.kind === 'filter') {
    const test = compileStep(step.base, node, scope, conditions);
    const code = emit(step.predicate, { ...scope, node: 'node' });
    if (code.type === 'one' || code.type === 'many') throw new Error('a predicate of a pattern depends on positions');
    const condition = emitTest(step.predicate, { ...scope, node: 'node' });
    conditions.push(node === 'node' ? `(${condition})` : `((node) => ${condition})(${node})`);
    return test;
  }
  if (step.kind !== 'step' || step.axis !== 'child') throw new Error(`a pattern contains ${step.kind}`);
  const test = testOf(step.test, scope);
  conditions.push(
    test.includes('*') ? `${node}?.kind === 'element' && passes(${node}, '${test}')` : `${node}?.name === '${test}'`,
  );
  return test;
}
