import { Decimal } from '../xpath/decimal.ts';

const zero = new Decimal(0n, 0);

/** Parses a string that the schema has already accepted as a number. */
export const decimalOf = (text: string): Decimal => Decimal.parse(text) ?? zero;

export const sumOf = (texts: readonly string[]): Decimal => texts.reduce((sum, text) => sum.add(decimalOf(text)), zero);

export const subtract = (a: Decimal, b: Decimal): Decimal => a.add(b.negate());

/** The quotient, rounded to two decimals. The divisor must not be zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const dividend = a.digits * 10n ** BigInt(b.scale + scale);
  return new Decimal(roundedQuotient(dividend, b.digits * 10n ** BigInt(a.scale)), scale);
}

/** The number with at most so many decimals, rounded half away from zero. */
export const roundTo = (value: Decimal, decimals: number): Decimal =>
  new Decimal(roundedQuotient(value.digits * 10n ** BigInt(decimals), 10n ** BigInt(value.scale)), decimals);

/** An amount with two decimals, rounded half away from zero, as EN 16931 requires (6.4.2). */
export function formatAmount(value: Decimal): string {
  const { digits } = roundTo(value, scale);
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

const scale = 2;

function roundedQuotient(a: bigint, b: bigint): bigint {
  const isNegative = a < 0n !== b < 0n;
  const [dividend, divisor] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const quotient = (2n * dividend + divisor) / (2n * divisor);
  return isNegative ? -quotient : quotient;
}
