/** An exact number: `digits` divided by 10 to the power of `scale`. Integers have the scale 0. */
export class Decimal {
  readonly digits: bigint;
  readonly scale: number;
  readonly isInteger: boolean;

  constructor(digits: bigint, scale: number, isInteger = false) {
    this.digits = digits;
    this.scale = scale;
    this.isInteger = isInteger;
  }

  /** Parses a decimal as XML Schema writes it; undefined for any other text. */
  static parse(text: string): Decimal | undefined {
    if (text.length > maxLength) return undefined;
    const match = /^[ \t\r\n]*([+-]?)(\d*)(?:\.(\d*))?[ \t\r\n]*$/.exec(text);
    const [, sign = '', whole = '', fraction = ''] = match ?? [];
    if (match === null || whole + fraction === '') return undefined;
    const digits = BigInt(whole + fraction);
    return new Decimal(sign === '-' ? -digits : digits, fraction.length);
  }

  static integer(value: number): Decimal {
    return new Decimal(BigInt(value), 0, true);
  }

  /** The exact value of a finite double. It exists, because a double is a sum of powers of two. */
  static fromDouble(value: number): Decimal {
    if (Number.isInteger(value)) return new Decimal(BigInt(value), 0);
    const halved = Math.min(1074, 52 - Math.floor(Math.log2(Math.abs(value))) + 1);
    // Multiplication by a power of two is exact. It takes two steps, because 2 ** 1074 does not fit in a double.
    const scaled = value * 2 ** Math.min(halved, 1000) * 2 ** Math.max(0, halved - 1000);
    return new Decimal(BigInt(scaled) * 5n ** BigInt(halved), halved);
  }

  toDouble(): number {
    return Number(this.toString());
  }

  toString(): string {
    const text = (this.digits < 0n ? -this.digits : this.digits).toString().padStart(this.scale + 1, '0');
    const whole = text.slice(0, text.length - this.scale);
    const fraction = text.slice(text.length - this.scale).replace(/0+$/, '');
    return `${this.digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }

  compare(other: Decimal): -1 | 0 | 1 {
    const [left, right] = aligned(this, other);
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  add(other: Decimal): Decimal {
    const [left, right] = aligned(this, other);
    return new Decimal(left + right, Math.max(this.scale, other.scale), this.isInteger && other.isInteger);
  }

  multiply(other: Decimal): Decimal {
    return new Decimal(this.digits * other.digits, this.scale + other.scale, this.isInteger && other.isInteger);
  }

  /** Rounds an endless quotient as Saxon does, to at least 18 decimal places. */
  divide(other: Decimal): Decimal {
    const scale = Math.max(18, this.scale, other.scale);
    const left = this.digits * 10n ** BigInt(scale + other.scale);
    const right = other.digits * 10n ** BigInt(this.scale);
    const quotient = left / right;
    const remainder = left % right;
    const isPastHalf = absolute(remainder) * 2n > absolute(right);
    const away = left < 0n === right < 0n ? 1n : -1n;
    return new Decimal(isPastHalf ? quotient + away : quotient, scale);
  }

  modulo(other: Decimal): Decimal {
    const [left, right] = aligned(this, other);
    return new Decimal(left % right, Math.max(this.scale, other.scale), this.isInteger && other.isInteger);
  }

  negate(): Decimal {
    return new Decimal(-this.digits, this.scale, this.isInteger);
  }

  abs(): Decimal {
    return this.digits < 0n ? this.negate() : this;
  }

  /** The nearest integer; a number halfway between two rounds up. */
  round(): Decimal {
    if (this.scale === 0) return this;
    const unit = 10n ** BigInt(this.scale);
    const doubled = this.digits * 2n + unit;
    const quotient = doubled / (unit * 2n);
    const isFloor = doubled >= 0n || doubled % (unit * 2n) === 0n;
    return new Decimal(isFloor ? quotient : quotient - 1n, 0);
  }
}

/** Longer texts are no amounts, and cost time that grows with the square of their length. */
const maxLength = 1000;

function aligned(left: Decimal, right: Decimal): readonly [bigint, bigint] {
  if (left.scale === right.scale) return [left.digits, right.digits];
  const scale = Math.max(left.scale, right.scale);
  return [left.digits * 10n ** BigInt(scale - left.scale), right.digits * 10n ** BigInt(scale - right.scale)];
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
