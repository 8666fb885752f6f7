import { XmlNode } from '../xml/xml-node.ts';
import { Decimal } from './decimal.ts';
import { castDate, DateValue, type Item, type Sequence, textOf, toBoolean, toDouble, XPathError } from './values.ts';

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A general comparison: whether it holds for any item of one sequence and any item of the other. */
export function compare(operator: Operator, left: Sequence, right: Sequence): boolean {
  for (const one of left) for (const other of right) if (holds(operator, untypedPair(one, other))) return true;
  return false;
}

/** A value comparison, in which untyped values are strings. Undefined if either side is empty. */
export function compareValues(
  operator: Operator,
  left: Item | undefined,
  right: Item | undefined,
): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  return holds(operator, [asText(left), asText(right)]);
}

function asText(item: Item): Item {
  return item instanceof XmlNode ? item.value : item;
}

/** Untyped values take the type of the other side. */
function untypedPair(left: Item, right: Item): readonly [Item, Item] {
  if (left instanceof XmlNode && right instanceof XmlNode) return [left.value, right.value];
  if (left instanceof XmlNode) return [castLike(right, left.value), right];
  if (right instanceof XmlNode) return [left, castLike(left, right.value)];
  return [left, right];
}

function castLike(example: Item, text: string): Item {
  if (typeof example === 'string') return text;
  if (typeof example === 'boolean') return toBoolean(text);
  if (example instanceof DateValue) return castDate(text) ?? text;
  return toDouble(text);
}

function holds(operator: Operator, [left, right]: readonly [Item, Item]): boolean {
  const order = orderOf(left, right);
  switch (operator) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** Negative, zero or positive; NaN if either number is NaN, because NaN has no order. */
function orderOf(left: Item, right: Item): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.compare(right);
  if (isNumber(left) && isNumber(right)) return between(toNumber(left), toNumber(right));
  if (typeof left === 'string' && typeof right === 'string') return between(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return between(left, right);
  if (left instanceof DateValue && right instanceof DateValue) return between(left.milliseconds, right.milliseconds);
  throw new XPathError(`"${textOf(left).slice(0, 40)}" and "${textOf(right).slice(0, 40)}" cannot be compared`);
}

function isNumber(item: Item): item is number | Decimal {
  return typeof item === 'number' || item instanceof Decimal;
}

function toNumber(item: number | Decimal): number {
  return typeof item === 'number' ? item : item.toDouble();
}

function between<T extends number | string | boolean>(left: T, right: T): number {
  if (left === right) return 0;
  if (left < right) return -1;
  return left > right ? 1 : Number.NaN;
}
