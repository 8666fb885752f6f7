import type { Scope } from '../scope.ts';
import type { Use, UseKind } from '../use.ts';
import { asNumber } from './arithmetic.ts';
import { describeType, ValueProblem } from './value-problem.ts';

/** A compiled part of an expression. */
export interface Operand {
  /** Returns `undefined` if required data is missing, and null for an empty result. */
  evaluate(scope: Scope): unknown;
  /** The JSON path of the value, or of the first value it derives from; undefined without data. */
  locate(scope: Scope): string | undefined;
  /** The JSON path of an item of its list. */
  locateItem(scope: Scope, item: unknown, index: number): string | undefined;
  uses(kind: UseKind): readonly Use[];
  readonly result: ResultType;
  /** Whether it is a path of names and keys. */
  readonly isPath?: boolean;
  /** Set if every render gives the same value. */
  readonly constant?: { readonly value: unknown } | undefined;
}

/** The result type that follows from the expression alone. */
export type ResultType = 'number' | 'text' | 'truth' | 'list' | 'link' | 'unknown';

/** The path to report for a value; `data` if it has no single path. */
export function pathOf(operand: Operand, scope: Scope): string {
  return operand.locate(scope) ?? 'data';
}

export function itemPathOf(operand: Operand, scope: Scope, item: unknown, index: number): string {
  return operand.locateItem(scope, item, index) ?? pathOf(operand, scope);
}

/** Evaluates an operand that may be missing, without reporting it as missing. */
export function evaluateOptional(operand: Operand, scope: Scope): unknown {
  const { context } = scope;
  const noted = context.missing;
  context.missing = undefined;
  try {
    return operand.evaluate(scope);
  } finally {
    context.missing = noted;
  }
}

/** The number of an operand's value: null if it is empty, undefined if it is missing. Throws ValueProblem for any other value. */
export function numberOf(operand: Operand, value: unknown, scope: Scope): number | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === '') return null;
  const number = asNumber(value);
  if (number === undefined)
    throw new ValueProblem(pathOf(operand, scope), `${describeType(value)}, and a number is needed`);
  return number;
}
