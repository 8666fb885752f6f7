import type { RenderContext } from '../render-context.ts';
import { asNumber } from './arithmetic.ts';

/** `==`: same type and value. A number also equals its text form; a missing value equals null. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === undefined || a === null) return b === undefined || b === null;
  if (typeof a === typeof b) return a === b;
  return (typeof a === 'number' || typeof b === 'number') && asNumber(a) !== undefined && asNumber(a) === asNumber(b);
}

/**
 * Compares numbers by size and strings by locale: negative, 0 or positive. Undefined for values that do not compare.
 */
export function order(a: unknown, b: unknown, context: RenderContext): number | undefined {
  const left = asNumber(a);
  const right = asNumber(b);
  if (left !== undefined && right !== undefined) return left - right;
  if (typeof a === 'string' && typeof b === 'string') return context.collator.compare(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

/** Like `order`, for values of any type: numbers, strings, booleans, objects, then missing values. */
export function sortOrder(a: unknown, b: unknown, context: RenderContext): number {
  return rankOf(a) - rankOf(b) || (order(a, b, context) ?? 0);
}

function rankOf(value: unknown): number {
  if (value === undefined || value === null) return 4;
  if (asNumber(value) !== undefined) return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}
