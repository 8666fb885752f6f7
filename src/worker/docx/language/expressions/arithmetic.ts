import { expressionLimits } from '../../limits.ts';

const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The value of a number or of a text in JSON number syntax; undefined for anything else. */
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

/** The result, or a problem that completes "the value …". */
export function calculate(operator: Operator, a: number, b: number): number | string {
  if ((operator === '/' || operator === '%') && b === 0) return 'is 0, and division by 0 is not possible';
  const result = tidy(raw(operator, a, b));
  if (!Number.isFinite(result)) return 'results in a number that is too large';
  return result === 0 ? 0 : result;
}

function raw(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

export function isTooLong(chars: number): boolean {
  return chars > expressionLimits.textChars;
}

export const tooLong = `results in a text of more than ${expressionLimits.textChars} characters`;
