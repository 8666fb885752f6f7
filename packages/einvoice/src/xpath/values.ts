import { XmlNode } from '../xml/xml-node.ts';
import { Decimal } from './decimal.ts';

/** The start of a day in its time zone, in milliseconds since 1970. */
export class DateValue {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

/** A single value. A node stands for its untyped value, a JavaScript number is an `xs:double`. */
export type Item = XmlNode | string | number | boolean | Decimal | DateValue;
export type Sequence = readonly Item[];

/** A value does not have the type that an expression requires: a dynamic error in XPath. */
export class XPathError extends Error {}

/** The only item of a sequence; undefined if it is empty. Throws XPathError if there are several. */
export function single(sequence: Sequence): Item | undefined {
  if (sequence.length > 1) throw new XPathError('there is more than one value where the rule expects one');
  return sequence[0];
}

export function optional(item: Item | undefined): Sequence {
  return item === undefined ? [] : [item];
}

/** The effective boolean value of a sequence. */
export function truth(sequence: Sequence): boolean {
  const [first] = sequence;
  if (first === undefined) return false;
  if (first instanceof XmlNode) return true;
  if (sequence.length > 1) throw new XPathError('several values cannot be converted to a boolean');
  if (first instanceof Decimal) return first.digits !== 0n;
  if (first instanceof DateValue) throw new XPathError('a date cannot be converted to a boolean');
  return typeof first === 'number' ? first !== 0 && !Number.isNaN(first) : first !== '' && first !== false;
}

/** The string value of an item; empty if there is none. */
export function textOf(item: Item | undefined): string {
  if (item === undefined) return '';
  if (item instanceof XmlNode) return item.value;
  if (item instanceof DateValue) throw new XPathError('a date is not a string');
  return String(item);
}

/** An operand of an arithmetic expression. Untyped values become doubles. */
export function numberOf(item: Item): number | Decimal {
  if (typeof item === 'number' || item instanceof Decimal) return item;
  if (item instanceof XmlNode) return toDouble(item.value);
  throw new XPathError(`${shown(textOf(item))} is not a number`);
}

export function toDouble(text: string): number {
  const trimmed = text.trim();
  if (trimmed === 'INF' || trimmed === '+INF') return Number.POSITIVE_INFINITY;
  if (trimmed === '-INF') return Number.NEGATIVE_INFINITY;
  if (trimmed === 'NaN') return Number.NaN;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(trimmed))
    throw new XPathError(`${shown(text)} is not a number`);
  return Number(trimmed);
}

export function toBoolean(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === '1') return true;
  if (trimmed === 'false' || trimmed === '0') return false;
  throw new XPathError(`${shown(text)} is not a boolean`);
}

export function castDecimal(item: Item | undefined): Decimal | undefined {
  if (item === undefined) return undefined;
  if (item instanceof Decimal) return item.isInteger ? new Decimal(item.digits, item.scale) : item;
  if (typeof item === 'boolean') return new Decimal(item ? 1n : 0n, 0);
  const decimal = typeof item === 'number' ? fromDouble(item) : Decimal.parse(textOf(item));
  if (decimal === undefined) throw new XPathError(`${shown(textOf(item))} is not a decimal number`);
  return decimal;
}

function fromDouble(value: number): Decimal | undefined {
  return Number.isFinite(value) ? Decimal.fromDouble(value) : undefined;
}

export function castBoolean(item: Item | undefined): boolean {
  if (item === undefined) throw new XPathError('there is no value where the rule expects one');
  return typeof item === 'boolean' ? item : toBoolean(textOf(item));
}

const datePattern = /^\s*(-?\d{4,9})-(\d\d)-(\d\d)(?:Z|([+-])(\d\d):(\d\d))?\s*$/;

export function castDate(item: Item | undefined): DateValue | undefined {
  if (item === undefined || item instanceof DateValue) return item;
  const match = datePattern.exec(textOf(item));
  const [, year, month, day, sign, hours, minutes] = match ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // JavaScript moves a day that the month does not have into the next month.
  if (match === null || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    throw new XPathError(`${shown(textOf(item))} is not a date`);
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return new DateValue(date.getTime() - (sign === '-' ? -offset : offset));
}

function shown(text: string): string {
  return text === '' ? 'an empty string' : `"${text.slice(0, 40)}"`;
}
