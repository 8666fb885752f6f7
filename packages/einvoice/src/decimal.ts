/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const zero: Decimal = { units: 0n, scale: 0 };

const pattern = /^([+-]?)(\d{1,30})(?:\.(\d{1,20}))?$/;

/** Parses a number such as `-1234.50`; `undefined` if the text is none, or has an exponent. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole, fraction = ''] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

/** With as few decimals as the value needs, but at least `least`. */
export function formatDecimal(value: Decimal, least = 0): string {
  let { units, scale } = value;
  for (; scale > least && units % 10n === 0n; scale--) units /= 10n;
  if (scale < least) [units, scale] = [units * 10n ** BigInt(least - scale), least];
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

export function add(...values: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...values.map((value) => value.scale));
  return { units: values.reduce((sum, value) => sum + atScale(value, scale), 0n), scale };
}

export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negate(b));

export const multiply = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale });

/** The quotient, rounded half away from zero to `scale` decimals. The divisor must not be zero. */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  const shift = BigInt(scale + b.scale);
  return { units: roundedQuotient(a.units * 10n ** shift, b.units * 10n ** BigInt(a.scale)), scale };
}

/** Rounded half away from zero, as EN 16931 does (6.4.2: half up, for the amount without its sign). */
export function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  return { units: roundedQuotient(value.units, 10n ** BigInt(value.scale - scale)), scale };
}

export const equals = (a: Decimal, b: Decimal): boolean => subtract(a, b).units === 0n;

function atScale({ units, scale }: Decimal, target: number): bigint {
  return units * 10n ** BigInt(target - scale);
}

function roundedQuotient(a: bigint, b: bigint): bigint {
  const isNegative = a < 0n !== b < 0n;
  const [dividend, divisor] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const quotient = (2n * dividend + divisor) / (2n * divisor);
  return isNegative ? -quotient : quotient;
}
