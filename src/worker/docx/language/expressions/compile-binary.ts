import type { Scope } from '../scope.ts';
import type { Use } from '../use.ts';
import { calculate, isTooLong, type Operator, tooLong } from './arithmetic.ts';
import { asText } from './as-text.ts';
import { isEqual, order } from './compare.ts';
import { ExpressionError } from './expression-error.ts';
import { numberOf, type Operand, pathOf } from './operand.ts';
import { describeType, ValueProblem } from './value-problem.ts';

const comparisons: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '>': (difference) => difference > 0,
  '<=': (difference) => difference <= 0,
  '>=': (difference) => difference >= 0,
};

export function compileBinary(operator: string, left: Operand, right: Operand): Operand {
  const both = { locate: (scope: Scope) => left.locate(scope) ?? right.locate(scope), locateItem: () => undefined };
  if (operator === '+') return { ...both, ...compilePlus(left, right) };
  if (operator === '-' || operator === '*' || operator === '/' || operator === '%') {
    const evaluate = (scope: Scope) => calculateWith(operator, left, right, scope);
    return { ...both, evaluate, uses: () => [...left.uses('number'), ...right.uses('number')], result: 'number' };
  }
  const uses = () => comparedUses(operator, left, right);
  const evaluate = compileComparison(operator, left, right);
  return { ...both, evaluate, uses, result: 'truth' };
}

function calculateWith(operator: Operator, left: Operand, right: Operand, scope: Scope): unknown {
  const a = numberOf(left, left.evaluate(scope), scope);
  const b = numberOf(right, right.evaluate(scope), scope);
  if (a === undefined || b === undefined) return undefined;
  return a === null || b === null ? null : calculated(operator, a, b, right, scope);
}

function calculated(operator: Operator, a: number, b: number, right: Operand, scope: Scope): number {
  const result = calculate(operator, a, b);
  if (typeof result === 'string') throw new ValueProblem(pathOf(right, scope), result);
  return result;
}

/** Adds numbers; concatenates if either side is text. */
function compilePlus(left: Operand, right: Operand): Pick<Operand, 'evaluate' | 'uses' | 'result'> {
  const isText = left.result === 'text' || right.result === 'text';
  return {
    evaluate: (scope) => {
      const a = left.evaluate(scope);
      const b = right.evaluate(scope);
      if (a === undefined || b === undefined) return undefined;
      if (a === null || b === null) return null;
      if (typeof a === 'number' && typeof b === 'number') return calculated('+', a, b, right, scope);
      if (typeof a !== 'string' && typeof b !== 'string') {
        const wrong = typeof a === 'number' ? right : left;
        throw new ValueProblem(
          pathOf(wrong, scope),
          `${describeType(wrong === left ? a : b)}, and nothing can be added to it`,
        );
      }
      const joined = textOf(left, a, scope) + textOf(right, b, scope);
      if (isTooLong(joined.length)) throw new ValueProblem(pathOf(left, scope), tooLong);
      return joined;
    },
    uses: (kind) => {
      const side = isText || kind === 'text' ? 'print' : 'number';
      return [...left.uses(side), ...right.uses(side)];
    },
    result: isText ? 'text' : left.result === 'number' && right.result === 'number' ? 'number' : 'unknown',
  };
}

function textOf(operand: Operand, value: unknown, scope: Scope): string {
  const text = asText(value);
  if (text !== undefined) return text;
  throw new ValueProblem(pathOf(operand, scope), `${describeType(value)}, and text is needed`);
}

function compileComparison(operator: string, left: Operand, right: Operand): Operand['evaluate'] {
  switch (operator) {
    case '==':
      return (scope) => isEqual(left.evaluate(scope), right.evaluate(scope));
    case '!=':
      return (scope) => !isEqual(left.evaluate(scope), right.evaluate(scope));
    case '===':
      return (scope) => left.evaluate(scope) === right.evaluate(scope);
    case '!==':
      return (scope) => left.evaluate(scope) !== right.evaluate(scope);
    default:
      return compileOrder(operator, left, right);
  }
}

function compileOrder(operator: string, left: Operand, right: Operand): Operand['evaluate'] {
  const test = comparisons[operator];
  if (test === undefined) throw new ExpressionError(`"${operator}" is not allowed in an expression`);
  return (scope) => {
    const a = left.evaluate(scope);
    const b = right.evaluate(scope);
    if (a === undefined || b === undefined) return undefined;
    if (a === null || b === null) return null;
    const difference = order(a, b, scope.context);
    if (difference === undefined) {
      const wrong = right.constant === undefined ? right : left;
      const other = wrong === left ? b : a;
      const problem = `${describeType(wrong === left ? a : b)}, and cannot be compared with a value that ${describeType(other)}`;
      throw new ValueProblem(pathOf(wrong, scope), problem);
    }
    return test(difference);
  };
}

/** How a comparison uses its operands: each is expected to have the type of the other. */
function comparedUses(operator: string, left: Operand, right: Operand): Use[] {
  return [...usesOf(left, operator, right), ...usesOf(right, mirrored[operator] ?? operator, left)];
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

function usesOf(operand: Operand, operator: string, other: Operand): Use[] {
  const kind = other.result === 'number' ? 'number' : other.result === 'text' ? 'text' : 'any';
  const sample = sampleFor(operator, other.constant?.value);
  return operand.uses(kind).map((use) => (sample === undefined ? use : { sample, ...use }));
}

/** A value that makes the comparison true. */
function sampleFor(operator: string, value: unknown): unknown {
  if (typeof value === 'number') return value + (steps[operator] ?? 0);
  if (typeof value === 'boolean') return operator.startsWith('!') ? !value : value;
  return typeof value === 'string' && operator !== '!=' && operator !== '!==' ? value : undefined;
}

const steps: Readonly<Record<string, number>> = { '>': 1, '<': -1, '!=': 1, '!==': 1 };
