import type { Scope } from '../scope.ts';
import type { Use, UseKind } from '../use.ts';

/** One part of a formula, ready to be evaluated. */
export interface Operand {
  /** `undefined` when data is missing that it needs, null for nothing. */
  evaluate(scope: Scope): unknown;
  /** The JSON path of the value; of the first value it is made of; undefined when no data is in it. */
  locate(scope: Scope): string | undefined;
  /** The JSON path of an item of its list. */
  locateItem(scope: Scope, item: unknown, index: number): string | undefined;
  uses(kind: UseKind): readonly Use[];
  readonly result: ResultType;
  /** It is found under a path of names and keys. */
  readonly isPath?: boolean;
  /** Set when it is the same in every render. */
  readonly constant?: { readonly value: unknown } | undefined;
}

/** What is known of a result before there is data. */
export type ResultType = 'number' | 'text' | 'truth' | 'list' | 'link' | 'unknown';

/** The path to blame for a value, `data` when no single one is. */
export function placeOf(operand: Operand, scope: Scope): string {
  return operand.locate(scope) ?? 'data';
}

export function itemPlaceOf(operand: Operand, scope: Scope, item: unknown, index: number): string {
  return operand.locateItem(scope, item, index) ?? placeOf(operand, scope);
}

/** Evaluates where a missing value is foreseen, so that nobody is told of it. */
export function quietly(operand: Operand, scope: Scope): unknown {
  const { context } = scope;
  const noted = context.missing;
  context.missing = undefined;
  try {
    return operand.evaluate(scope);
  } finally {
    context.missing = noted;
  }
}
