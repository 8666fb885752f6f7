import { withPlaces } from '../../grouped-items.ts';
import { isTruthy } from '../../print-value.ts';
import { isTooLong, tooLong } from '../arithmetic.ts';
import { asText } from '../as-text.ts';
import { isEqual, order, sortOrder } from '../compare.ts';
import {
  type Arguments,
  type Formatter,
  type FormatterCall,
  type ItemKey,
  listFormatter,
  type Parameter,
} from '../formatter.ts';
import { describeType } from '../value-problem.ts';

type List = readonly unknown[];

const itself: ItemKey = { text: '.', expression: undefined };

const key: Parameter = { name: 'key', type: 'text', readsItems: true };
const optionalKey: Parameter = { ...key, isOptional: true };

const tests: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '>': (difference) => difference > 0,
  '<=': (difference) => difference <= 0,
  '>=': (difference) => difference >= 0,
};
const operators = ['==', '!=', ...Object.keys(tests)];

/** `where:"key"`, `where:"key":value`, `where:"key":"<=":value`; the key may also be an expression. */
function where(list: List, args: Arguments, call: FormatterCall): List {
  const isWanted = testOf(list, args, call);
  const values = [...call.read(list, args.itemKey(0), true)];
  return list.filter((_item, index) => isWanted(values[index], index));
}

function testOf(list: List, args: Arguments, call: FormatterCall): (value: unknown, index: number) => boolean {
  if (!args.has(1)) return isTruthy;
  const operator = args.has(2) ? operatorOf(args, call) : '==';
  const expected = args.value(args.has(2) ? 2 : 1);
  if (operator === '==') return (value) => isEqual(value, expected);
  if (operator === '!=') return (value) => !isEqual(value, expected);
  const test = tests[operator];
  return (value, index) => {
    if (value === undefined || value === null || value === '') return false;
    const difference = order(value, expected, call.context);
    if (difference === undefined)
      call.failItem(list[index], index, args.itemKey(0), value, `a value to compare with ${shown(expected)}`);
    return test?.(difference) === true;
  };
}

function operatorOf(args: Arguments, call: FormatterCall): string {
  const operator = asText(args.value(1));
  if (operator !== undefined && operators.includes(operator)) return operator;
  return call.fail(`is compared with ${shown(args.value(1))}; use one of ${operators.join(' ')}`);
}

function shown(value: unknown): string {
  const text = asText(value);
  return text === undefined ? `a value that ${describeType(value)}` : `"${text}"`;
}

/** Groups the items by a key, in the order in which the keys first appear. Items without the key form one group. */
function group(list: List, args: Arguments, call: FormatterCall): List {
  const key = args.itemKey(0);
  const values = [...call.read(list, key, true)];
  if (isMissingInAll(values)) call.failKey(list, key);
  const groups = new Map<unknown, number[]>();
  for (const [index, value = null] of values.entries()) {
    if (typeof value === 'object' && value !== null) call.failItem(list[index], index, key, value, 'text or a number');
    const indexes = groups.get(value);
    if (indexes === undefined) groups.set(value, [index]);
    else indexes.push(index);
  }
  return Array.from(groups, ([value, indexes]) => {
    const pathOf = (at: number) => call.itemPath(list[indexes[at] ?? 0], indexes[at] ?? 0, '');
    const items = indexes.map((index) => list[index]);
    return { key: value, items: withPlaces(items, pathOf) };
  });
}

function isMissingInAll(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => value === undefined);
}

/** The values of a key; missing if no item has one. */
function map(list: List, args: Arguments, call: FormatterCall): List | undefined {
  const values = [...call.read(list, args.itemKey(0), true)];
  if (!isMissingInAll(values)) return values.map((value) => value ?? null);
  Array.from(call.read(list, args.itemKey(0), false));
  return undefined;
}

function sort(list: List, args: Arguments, call: FormatterCall): List {
  call.context.spendItems(list.length * Math.ceil(Math.log2(list.length + 1)));
  const sign = args.text(1) === 'desc' ? -1 : 1;
  const values = [...call.read(list, args.itemKey(0), true)];
  const keyed = list.map((item, index) => ({ item, by: values[index] ?? undefined }));
  const isMissing = (value: unknown) => value === undefined;
  keyed.sort((a, b) => {
    if (isMissing(a.by) || isMissing(b.by)) return Number(isMissing(a.by)) - Number(isMissing(b.by));
    return sign * sortOrder(a.by, b.by, call.context);
  });
  return keyed.map(({ item }) => item);
}

function unique(list: List, args: Arguments, call: FormatterCall): List {
  const seen = new Set<unknown>();
  const values = [...call.read(list, args.itemKey(0), true)];
  if (isMissingInAll(values)) call.failKey(list, args.itemKey(0));
  return list.filter((_item, index) => {
    const found = values[index];
    const mark = typeof found === 'object' && found !== null ? JSON.stringify(found) : found;
    return !seen.has(mark) && seen.add(mark);
  });
}

/** `join:", "`, or `join:", ":" and "` with a different last separator. */
function join(list: List, args: Arguments, call: FormatterCall): string {
  const texts: string[] = [];
  for (const [index, item] of list.entries()) {
    if (item === null || item === '') continue;
    texts.push(asText(item) ?? call.failItem(item, index, itself, item, 'text'));
  }
  const separator = args.text(0, ', ');
  const lastSeparator = args.has(1) ? args.text(1) : separator;
  const gaps = Math.max(0, texts.length - 1);
  const separators = gaps === 0 ? 0 : (gaps - 1) * separator.length + lastSeparator.length;
  // Checked before the text is built, because a short list can produce more text than memory holds.
  if (isTooLong(texts.reduce((sum, { length }) => sum + length, separators))) return call.fail(tooLong);
  if (gaps === 0) return texts.join('');
  return `${texts.slice(0, -1).join(separator)}${lastSeparator}${texts.at(-1)}`;
}

function check(allowed: readonly string[]): (value: unknown) => string | undefined {
  return (value) => (allowed.some((one) => one === value) ? undefined : `must be one of ${allowed.join(', ')}`);
}

/**
 * A formatter that only determines how a section places its items. It does not change the list. A section over any
 * other value prints once.
 */
const placing: Formatter = {
  takes: 'list',
  gives: 'list',
  parameters: [],
  keepsItems: true,
  isCheap: true,
  apply: (input) => input,
};
const keep = { keepsItems: true } as const;
const cheap = { isCheap: true } as const;
const byCondition = { itemKey: { parameter: 0, kind: 'truth' } } as const;
const byKey = { keepsItems: true, itemKey: { parameter: 0, kind: 'any' } } as const;

export const listFormatters: Readonly<Record<string, Formatter>> = {
  where: listFormatter(
    'list',
    [key, { name: 'value', type: 'any', isOptional: true }, { name: 'compared value', type: 'any', isOptional: true }],
    { keepsItems: true, itemKey: { parameter: 0, kind: 'any', sample: 1 } },
    where,
  ),
  filter: listFormatter('list', [{ ...key, name: 'condition' }], { keepsItems: true, ...byCondition }, where),
  sort: listFormatter(
    'list',
    [optionalKey, { name: 'direction', type: 'text', isOptional: true, example: 'asc', check: check(['asc', 'desc']) }],
    byKey,
    sort,
  ),
  unique: listFormatter('list', [optionalKey], byKey, unique),
  reverse: listFormatter('list', [], keep, (list) => list.toReversed()),
  slice: listFormatter(
    'list',
    [
      { name: 'start', type: 'number' },
      { name: 'end', type: 'number', isOptional: true },
    ],
    keep,
    (list, args) => list.slice(args.number(0), args.has(1) ? args.number(1) : undefined),
  ),
  map: listFormatter('list', [key], { itemKey: { parameter: 0, kind: 'any' } }, map),
  group: listFormatter('list', [key], { groupsItems: true, itemKey: { parameter: 0, kind: 'text' } }, group),
  numbering: listFormatter(
    'list',
    [{ name: 'mode', type: 'text', example: 'restart', check: check(['restart', 'continue']) }],
    { ...keep, ...cheap },
    (list) => list,
  ),
  grid: placing,
  documents: placing,
  first: listFormatter('unknown', [], cheap, (list) => list[0] ?? null),
  last: listFormatter('unknown', [], cheap, (list) => list.at(-1) ?? null),
  count: listFormatter('number', [optionalKey], byCondition, (list, args, call) =>
    args.has(0) ? where(list, args, call).length : list.length,
  ),
  join: listFormatter(
    'text',
    [
      { name: 'separator', type: 'text', isOptional: true },
      { name: 'last separator', type: 'text', isOptional: true },
    ],
    {},
    join,
  ),
};
