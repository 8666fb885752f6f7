import type { ArrowFunctionExpression, Expression, SpreadElement } from 'acorn';
import { atom, type Piece, pipe, quoted } from './docmill-text.ts';

/** A method call, or a call of a global function if there is no object. */
export interface MethodCall {
  readonly name: string;
  /** Translates the object. */
  readonly on: (() => Piece) | undefined;
  readonly args: readonly (Expression | SpreadElement)[];
  readonly translate: (node: Expression | SpreadElement) => Piece;
  readonly check: (reason: string) => void;
}

const grouped = 'Docmill writes the separators of the language, such as 1,234.50. Without them: round.';
const firstOnly = 'JavaScript replaces the first occurrence, Docmill all.';
const byLocale = 'The result depends on output.locale and output.timezone of the request.';

type Rule = (on: Piece, call: MethodCall) => Piece | undefined;

const withoutArguments =
  (formatter: string): Rule =>
  (on) =>
    pipe(on, formatter);
const withArguments =
  (formatter: string, max: number, reason?: string): Rule =>
  (on, { args, translate, check }) => {
    if (args.length > max) return undefined;
    if (reason !== undefined) check(reason);
    return pipe(on, formatter, ...args.map(translate));
  };

/** Methods of strings, numbers, dates and lists that have an equivalent formatter. */
const methods: Readonly<Record<string, Rule>> = {
  toUpperCase: withoutArguments('upper'),
  toLocaleUpperCase: withoutArguments('upper'),
  toLowerCase: withoutArguments('lower'),
  toLocaleLowerCase: withoutArguments('lower'),
  trim: withoutArguments('trim'),
  toString: (on: Piece, { args }: MethodCall) => (args.length === 0 ? on : undefined),
  padStart: withArguments('padStart', 2),
  padEnd: withArguments('padEnd', 2),
  replaceAll: withArguments('replace', 2),
  replace: withArguments('replace', 2, firstOnly),
  toFixed: (on, call) =>
    withArguments('number', 1, grouped)(on, call.args.length > 0 ? call : { ...call, args: [zero] }),
  toLocaleString: (on: Piece, { check }: MethodCall) => {
    check(`${byLocale} For a date write date, for money currency.`);
    return pipe(on, 'number');
  },
  toLocaleDateString: (on, { check }) => {
    check(byLocale);
    return pipe(on, 'date', atom('"short"'));
  },
  toLocaleTimeString: (on, { check }) => {
    check(byLocale);
    return pipe(on, 'time');
  },
  join: (on, { args, translate }) =>
    pipe(on, 'join', ...(args.length === 0 ? [atom('","')] : args.slice(0, 1).map(translate))),
  reverse: withoutArguments('reverse'),
  slice: withArguments('slice', 2, 'In Docmill slice works on lists; to shorten a text write truncate.'),
  at: (on, { args }) => {
    const [only] = args;
    if (only?.type === 'Literal' && only.value === 0) return pipe(on, 'first');
    return only?.type === 'UnaryExpression' && only.operator === '-' ? pipe(on, 'last') : undefined;
  },
  map: (on, { args: [mapper] }) => {
    const key = mapper === undefined ? undefined : keyOfArrow(mapper);
    return key === undefined ? undefined : pipe(on, 'map', key);
  },
  filter: (on, { args: [test], translate }) => (test === undefined ? undefined : where(on, test, translate)),
  sort: (on, { args: [order] }) => (order === undefined ? pipe(on, 'sort') : sorted(on, order)),
  reduce: (on, { args }) => summed(on, args),
};

const zero = { type: 'Literal', value: 0, raw: '0', start: 0, end: 0 } as const;

const functions: Readonly<Record<string, string>> = {
  'Math.round': 'round',
  'Math.floor': 'floor',
  'Math.ceil': 'ceil',
  'Math.abs': 'abs',
  'JSON.stringify': 'json',
};

/** Translates the call to a formatter; undefined if there is none. */
export function translateCall(call: MethodCall): Piece | undefined {
  const { name, on, args, translate } = call;
  if (on !== undefined) return Object.hasOwn(methods, name) ? methods[name]?.(on(), call) : undefined;
  const [only] = args;
  if (only === undefined || args.length !== 1) return undefined;
  if (name === 'String' || name === 'Number') return translate(only);
  const formatter = Object.hasOwn(functions, name) ? functions[name] : undefined;
  return formatter === undefined ? undefined : pipe(translate(only), formatter);
}

interface Arrow {
  readonly parameters: readonly string[];
  readonly body: Expression;
}

function arrowOf(node: Expression | SpreadElement): Arrow | undefined {
  if (node.type !== 'ArrowFunctionExpression') return undefined;
  const { params, body } = node as ArrowFunctionExpression;
  if (body.type === 'BlockStatement') return undefined;
  const parameters = params.map((one) => (one.type === 'Identifier' ? one.name : ''));
  return parameters.includes('') ? undefined : { parameters, body };
}

/** `price` of `item.price`, as a dotted path; empty for the item itself. */
function keyWithin(node: Expression, parameter: string): string | undefined {
  if (node.type === 'ChainExpression') return keyWithin(node.expression, parameter);
  if (node.type === 'Identifier') return node.name === parameter ? '' : undefined;
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return undefined;
  const holder = keyWithin(node.object, parameter);
  const { property, computed } = node;
  const name = !computed && property.type === 'Identifier' ? property.name : undefined;
  if (holder === undefined || name === undefined || name === 'length') return undefined;
  return holder === '' ? name : `${holder}.${name}`;
}

function keyOfArrow(node: Expression | SpreadElement): Piece | undefined {
  const arrow = arrowOf(node);
  const key = arrow === undefined ? undefined : keyWithin(arrow.body, arrow.parameters[0] ?? '');
  return key === undefined || key === '' ? undefined : quoted(key);
}

/** Translates `filter` with conditions on keys of the items, joined by `&&`. */
function where(on: Piece, test: Expression | SpreadElement, translate: MethodCall['translate']): Piece | undefined {
  const arrow = arrowOf(test);
  const [parameter] = arrow?.parameters ?? [];
  if (arrow === undefined || parameter === undefined) return undefined;
  const conditions = (node: Expression): readonly Expression[] =>
    node.type === 'LogicalExpression' && node.operator === '&&'
      ? [...conditions(node.left), ...conditions(node.right)]
      : [node];
  return conditions(arrow.body).reduce<Piece | undefined>(
    (list, condition) => (list === undefined ? undefined : whereOne(list, condition, parameter, translate)),
    on,
  );
}

const comparisons = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=']);

function whereOne(
  on: Piece,
  node: Expression,
  parameter: string,
  translate: MethodCall['translate'],
): Piece | undefined {
  const whole = keyWithin(node, parameter);
  if (whole !== undefined && whole !== '') return pipe(on, 'where', atom(`"${whole}"`));
  if (node.type !== 'BinaryExpression' || !comparisons.has(node.operator) || node.left.type === 'PrivateIdentifier')
    return undefined;
  const key = keyWithin(node.left, parameter);
  if (key === undefined || key === '' || mentions(node.right, parameter)) return undefined;
  const operator = node.operator.replace('===', '==').replace('!==', '!=');
  const value = translate(node.right);
  return operator === '=='
    ? pipe(on, 'where', atom(`"${key}"`), value)
    : pipe(on, 'where', atom(`"${key}"`), atom(`"${operator}"`), value);
}

function mentions(node: Expression, parameter: string): boolean {
  return JSON.stringify(node, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).includes(
    `"name":"${parameter}"`,
  );
}

/** Translates `(a, b) => a.price - b.price` and its reverse. */
function sorted(on: Piece, order: Expression | SpreadElement): Piece | undefined {
  const arrow = arrowOf(order);
  const [a = '', b = ''] = arrow?.parameters ?? [];
  if (
    arrow?.body.type !== 'BinaryExpression' ||
    arrow.body.operator !== '-' ||
    arrow.body.left.type === 'PrivateIdentifier'
  )
    return undefined;
  const { left, right } = arrow.body;
  const rising = keyWithin(left, a);
  const falling = keyWithin(left, b);
  if (rising !== undefined && rising !== '' && keyWithin(right, b) === rising)
    return pipe(on, 'sort', atom(`"${rising}"`));
  if (falling === undefined || falling === '' || keyWithin(right, a) !== falling) return undefined;
  return pipe(on, 'sort', atom(`"${falling}"`), atom('"desc"'));
}

/** Translates `(sum, item) => sum + item.price, 0`. */
function summed(on: Piece, [adder, start]: readonly (Expression | SpreadElement)[]): Piece | undefined {
  const arrow = adder === undefined ? undefined : arrowOf(adder);
  const [sum = '', item = ''] = arrow?.parameters ?? [];
  if (arrow?.body.type !== 'BinaryExpression' || arrow.body.operator !== '+') return undefined;
  if (start?.type !== 'Literal' || start.value !== 0) return undefined;
  const { left, right } = arrow.body;
  if (left.type !== 'Identifier' || left.name !== sum) return undefined;
  const key = keyWithin(right, item);
  if (key === undefined) return undefined;
  return key === '' ? pipe(on, 'sum') : pipe(on, 'sum', atom(`"${key}"`));
}
