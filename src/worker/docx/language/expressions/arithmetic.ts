import { expressionLimits } from '../../limits.ts';

const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a number, or of a string in JSON number syntax; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > 40 || !numeric.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Rounds to 15 significant digits, so that 0.1 + 0.2 is 0.3. */
export function tidy(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}

export type Operator = '+' | '-' | '*' | '/' | '%';

/** The number of decimal digits of a number as JSON writes it. */
export function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const point = mantissa.indexOf('.');
  return Math.max(0, (point === -1 ? 0 : mantissa.length - point - 1) - Number(exponent));
}

/** The maximum number of digits that `toFixed` accepts. */
const maxDecimals = 100;

/**
 * Rounds to decimal digits. A sum of numbers with two decimals has no more than two; any further digits are errors of
 * binary fractions.
 */
export function withDecimals(value: number, decimals: number): number {
  return decimals > maxDecimals || Number.isInteger(value) ? value : Number(value.toFixed(decimals));
}

/** The result, or a problem that completes "the value …". */
export function calculate(operator: Operator, a: number, b: number): number | string {
  if ((operator === '/' || operator === '%') && b === 0) return 'is 0, and division by 0 is not possible';
  const result = tidy(raw(operator, a, b));
  if (!Number.isFinite(result)) return tooLarge;
  return result === 0 ? 0 : result;
}

function raw(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return withDecimals(a + b, Math.max(decimalsOf(a), decimalsOf(b)));
    case '-':
      return withDecimals(a - b, Math.max(decimalsOf(a), decimalsOf(b)));
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return remainder(a, b);
  }
}

/** The remainder, computed in units of the last decimal place, so that 0.3 % 0.1 is 0. */
function remainder(a: number, b: number): number {
  const unit = 10 ** Math.max(decimalsOf(a), decimalsOf(b));
  const [whole, divisor] = [Math.round(a * unit), Math.round(b * unit)];
  return Number.isSafeInteger(whole) && Number.isSafeInteger(divisor) ? (whole % divisor) / unit : a % b;
}

export const tooLarge = 'results in a number that is too large';

export function isTooLong(chars: number): boolean {
  return chars > expressionLimits.textChars;
}

export const tooLong = `results in a text of more than ${expressionLimits.textChars} characters`;
