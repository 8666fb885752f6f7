import { isTruthy } from '../print-value.ts';
import type { Scope } from '../scope.ts';
import { ExpressionError } from './expression-error.ts';
import { evaluateOptional, type Operand } from './operand.ts';

/** Evaluates a condition. A missing value is false and is not reported. */
function test(operand: Operand, scope: Scope): boolean {
  return isTruthy(evaluateOptional(operand, scope));
}

export function compileNot(argument: Operand): Operand {
  return {
    evaluate: (scope) => !test(argument, scope),
    locate: (scope) => argument.locate(scope),
    locateItem: () => undefined,
    uses: () => argument.uses('truth').map((use) => ({ sample: false, ...use })),
    result: 'truth',
  };
}

/** `and` and `or` return the deciding operand; `??` returns the first that is neither missing nor null. */
export function compileLogical(operator: string, left: Operand, right: Operand): Operand {
  const decides = deciderOf(operator);
  const chosen = (scope: Scope) => (decides(left.evaluate(scope)) ? left : right);
  return {
    evaluate: (scope) => {
      const value = left.evaluate(scope);
      return decides(value) ? value : right.evaluate(scope);
    },
    locate: (scope) => left.locate(scope) ?? right.locate(scope),
    locateItem: (scope, item, index) => chosen(scope).locateItem(scope, item, index),
    uses: (kind) => {
      const first = left.uses(operator === '&&' && kind !== 'section' ? 'truth' : kind);
      return [...first.map((use) => ({ ...use, isOptional: true })), ...right.uses(kind)];
    },
    result: left.result === right.result ? left.result : 'unknown',
  };
}

function deciderOf(operator: string): (value: unknown) => boolean {
  if (operator === '&&') return (value) => !isTruthy(value);
  if (operator === '||') return isTruthy;
  if (operator === '??') return (value) => value !== undefined && value !== null;
  throw new ExpressionError(`"${operator}" is not allowed in an expression`);
}

export function compileChoice(condition: Operand, whenTrue: Operand, whenFalse: Operand): Operand {
  const chosen = (scope: Scope) => (test(condition, scope) ? whenTrue : whenFalse);
  return {
    evaluate: (scope) => chosen(scope).evaluate(scope),
    locate: (scope) => chosen(scope).locate(scope),
    locateItem: (scope, item, index) => chosen(scope).locateItem(scope, item, index),
    uses: (kind) => [
      ...condition.uses('truth'),
      ...[...whenTrue.uses(kind), ...whenFalse.uses(kind)].map((use) => ({ ...use, isOptional: true })),
    ],
    result: whenTrue.result === whenFalse.result ? whenTrue.result : 'unknown',
  };
}
