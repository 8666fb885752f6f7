import { XmlNode } from '../xml/xml-node.ts';
import { Decimal } from './decimal.ts';
import { castDecimal, type Item, numberOf, type Sequence, textOf, XPathError } from './values.ts';

export type Arithmetic = '+' | '-' | '*' | 'div' | 'mod';

/** Decimals stay exact; a double on one side makes the result a double. Undefined if either side is empty. */
export function calculate(
  operator: Arithmetic,
  left: Item | undefined,
  right: Item | undefined,
): number | Decimal | undefined {
  if (left === undefined || right === undefined) return undefined;
  const one = numberOf(left);
  const other = numberOf(right);
  if (one instanceof Decimal && other instanceof Decimal) return calculateDecimal(operator, one, other);
  return calculateDouble(operator, Number(one.toString()), Number(other.toString()));
}

function calculateDecimal(operator: Arithmetic, left: Decimal, right: Decimal): Decimal {
  if (operator === '+') return left.add(right);
  if (operator === '-') return left.add(right.negate());
  if (operator === '*') return left.multiply(right);
  if (right.digits === 0n) throw new XPathError('a number is divided by zero');
  return operator === 'div' ? left.divide(right) : left.modulo(right);
}

function calculateDouble(operator: Arithmetic, left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return operator === 'div' ? left / right : left % right;
}

export function sum(items: Sequence): number | Decimal {
  let total: number | Decimal | undefined;
  for (const item of items) total = total === undefined ? numberOf(item) : calculate('+', total, item);
  return total ?? Decimal.integer(0);
}

export function round(item: Item | undefined): number | Decimal | undefined {
  if (item === undefined) return undefined;
  const value = numberOf(item);
  return typeof value === 'number' ? Math.round(value) : value.round();
}

export function abs(item: Item | undefined): number | Decimal | undefined {
  if (item === undefined) return undefined;
  const value = numberOf(item);
  return typeof value === 'number' ? Math.abs(value) : value.abs();
}

export function castInteger(item: Item | undefined): Decimal | undefined {
  const decimal = castDecimal(item);
  if (decimal === undefined) return undefined;
  return new Decimal(decimal.digits / 10n ** BigInt(decimal.scale), 0, true);
}

export function count(items: Sequence): Decimal {
  return Decimal.integer(items.length);
}

export function stringLength(text: string): Decimal {
  return Decimal.integer([...text].length);
}

export function normalizeSpace(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

/** Positions count characters, not UTF-16 units, and begin at 1. */
export function substring(text: string, start: Item | undefined, length?: Item | undefined): string {
  const from = roundedDouble(start);
  const end = length === undefined ? Number.POSITIVE_INFINITY : from + roundedDouble(length);
  return [...text].filter((_, index) => index + 1 >= from && index + 1 < end).join('');
}

function roundedDouble(item: Item | undefined): number {
  return item === undefined ? Number.NaN : Math.round(Number(textOf(item)));
}

export function substringBefore(text: string, separator: string): string {
  const index = text.indexOf(separator);
  return index < 0 ? '' : text.slice(0, index);
}

export function substringAfter(text: string, separator: string): string {
  const index = text.indexOf(separator);
  return index < 0 ? '' : text.slice(index + separator.length);
}

const expressions = new Map<string, RegExp>();

/** In JavaScript, `\s` matches more characters than in XPath. */
function expression(pattern: string, flags: string): RegExp {
  const key = flags + pattern;
  const known = expressions.get(key);
  if (known !== undefined) return known;
  const source = pattern.replace(/\[(?:[^\]\\]|\\.)*\]|\\s/g, (part) =>
    part === '\\s' ? '[ \\t\\r\\n]' : part.replaceAll('\\s', ' \\t\\r\\n'),
  );
  const compiled = new RegExp(source, flags);
  expressions.set(key, compiled);
  return compiled;
}

/**
 * Removes a leading `.*`, which does not change whether the pattern matches, but would make the search start at every
 * position.
 */
export function matches(text: string, pattern: string): boolean {
  return expression(pattern.replace(/^\.\*/, ''), 'u').test(text);
}

export function replace(text: string, pattern: string, replacement: string): string {
  return text.replace(expression(pattern, 'gu'), replacement);
}

export function tokenize(text: string, pattern: string): readonly string[] {
  if (text === '') return [];
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(expression(pattern, 'gu'))) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

export function codepoints(text: string): readonly Decimal[] {
  return [...text].map((character) => Decimal.integer(character.codePointAt(0) ?? 0));
}

export function stringJoin(items: Sequence, separator: string): string {
  return items.map(textOf).join(separator);
}

export function distinctValues(items: Sequence): Sequence {
  const byText = new Map(items.map((item) => [textOf(item), item]));
  return [...byText.values()];
}

export function nameOf(item: Item | undefined): string {
  return item instanceof XmlNode ? item.writtenName : '';
}

export function localNameOf(item: Item | undefined): string {
  return item instanceof XmlNode ? item.writtenName.replace(/^.*:/, '') : '';
}
