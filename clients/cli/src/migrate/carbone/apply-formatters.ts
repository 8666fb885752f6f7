import { atom, binary, choice, levels, not, type Piece, pipe, quoted, within } from '../expressions/docmill-text.ts';
import { Untranslatable } from '../expressions/translate-javascript.ts';
import { dateFormat } from './date-pattern.ts';
import type { Argument, Formatter } from './parse-tag.ts';

/** The output or the effect of a tag after its formatters. */
export type Result =
  | { readonly kind: 'value'; readonly piece: Piece }
  | { readonly kind: 'begin'; readonly condition: Piece; readonly isHidden: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'html'; readonly piece: Piece }
  | { readonly kind: 'barcode'; readonly piece: Piece; readonly type: string };

export interface FormatterContext {
  /** Translates an argument. Throws Untranslatable. */
  readonly argument: (argument: Argument) => Piece;
  readonly check: (reason: string) => void;
  /** Reports a required change of the data. */
  readonly data: (sentence: string) => void;
}

type Rule = (value: Piece, args: readonly Argument[], context: FormatterContext) => Piece;

const plain =
  (formatter: string): Rule =>
  (value, args, { argument }) =>
    pipe(value, formatter, ...args.map(argument));
const operator =
  (sign: string): Rule =>
  (value, [only], { argument }) =>
    (only === undefined ? undefined : binary(sign, value, argument(only))) ?? lacking(`${sign} needs a value.`);
const joined = (left: Piece, right: Piece): Piece => binary('+', left, right) ?? left;

const rules: Readonly<Record<string, Rule>> = {
  lowerCase: plain('lower'),
  upperCase: plain('upper'),
  ucFirst: plain('capitalize'),
  trim: plain('trim'),
  print: (_, [text], { argument }) => (text === undefined ? atom('""') : argument(text)),
  printJSON: plain('json'),
  convCRLF: (value) => value,
  replace: plain('replace'),
  padl: plain('padStart'),
  padr: plain('padEnd'),
  ellipsis: plain('truncate'),
  len: plain('count'),
  prepend: (value, [text], { argument }) => (text === undefined ? value : joined(argument(text), value)),
  append: (value, [text], { argument }) => (text === undefined ? value : joined(value, argument(text))),
  ifEmpty: plain('default'),
  arrayJoin: plain('join'),
  round: plain('round'),
  ceil: plain('ceil'),
  floor: plain('floor'),
  abs: plain('abs'),
  add: operator('+'),
  sub: operator('-'),
  mul: operator('*'),
  div: operator('/'),
  mod: operator('%'),
  int: (value, _, { check }) => {
    check('int cuts the decimals off; floor rounds negative numbers down.');
    return pipe(value, 'floor');
  },
  formatN: (value, args, { argument, check }) => {
    if (args.length === 0) check('Without a number of decimals Carbone prints 3, Docmill at most 3.');
    return pipe(value, 'number', ...args.slice(0, 1).map(argument));
  },
  toFixed: (value, args, { argument, check }) => {
    check('Docmill writes the separators of the language, such as 1,234.50. Without them: round.');
    return pipe(value, 'number', ...(args.length === 0 ? [atom('0')] : args.slice(0, 1).map(argument)));
  },
  formatC: (value, [decimals, currency], { argument }) => {
    if (currency === undefined) {
      throw new Untranslatable(
        'Docmill has no currency of a request. Name it in the tag.',
        `{${value.text} | currency:"EUR"}`,
      );
    }
    const code = argument(currency);
    const number = decimals?.kind === 'text' ? Number(decimals.text) : Number.NaN;
    if (!Number.isInteger(number)) lacking('Docmill has no such format of money.');
    return pipe(value, 'currency', code, atom('"symbol"'), atom(String(number)));
  },
  formatD: (value, [pattern, input], context) => {
    if (pattern?.kind !== 'text') return lacking('The pattern of the date is missing.');
    const { formatter, argument, isSame } = dateFormat(pattern.text);
    if (!isSame) context.check(`Docmill's ${formatter} is the nearest to ${pattern.text}.`);
    if (input !== undefined) context.data(dates);
    return pipe(value, formatter, ...(argument === undefined ? [] : [textPiece(argument)]));
  },
  aggSum: plain('sum'),
  aggAvg: plain('avg'),
  aggMin: plain('min'),
  aggMax: plain('max'),
  aggCount: plain('count'),
  aggStr: plain('join'),
};

const dates = 'Send dates as 2026-03-31, times as 2026-03-31T14:30:00Z or in milliseconds since 1970.';

const comparisons: Readonly<Record<string, string>> = {
  ifEQ: '==',
  ifEqual: '==',
  ifNE: '!=',
  ifGT: '>',
  ifGTE: '>=',
  ifLT: '<',
  ifLTE: '<=',
};

/** Applies the formatters of a tag in order, including conditions. Throws Untranslatable. */
export function applyFormatters(value: Piece, formatters: readonly Formatter[], context: FormatterContext): Result {
  const conditions = new Conditions(value, context);
  for (const { name, args } of formatters) {
    if (conditions.accept(name, args)) continue;
    if (name === 'drop' || name === 'keep') {
      throw new Untranslatable(
        'Write the condition around the row or the paragraph.',
        dropped(name, conditions.condition()),
      );
    }
    const block = blockOf(name, conditions);
    if (block !== undefined) return block;
    const piece = conditions.finish();
    if (name === 'html') return { kind: 'html', piece };
    if (name === 'barcode') return { kind: 'barcode', piece, type: args[0]?.kind === 'text' ? args[0].text : '' };
    if (name === 'count') conditions.value = count(args);
    else {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      if (rule === undefined) throw new Untranslatable(`Docmill has no formatter ${name}.`, hints[name]);
      conditions.value = rule(piece, args, context);
    }
  }
  return { kind: 'value', piece: conditions.finish() };
}

const hints: Readonly<Record<string, string>> = {
  substr: '{text | truncate:10}',
};

const dropped = (name: 'drop' | 'keep', { text }: Piece): string => `{${name === 'drop' ? '^' : '#'}${text}}…{/}`;

function count(args: readonly Argument[]): Piece {
  const [start] = args;
  const first = start?.kind === 'text' ? Number(start.text) : 1;
  if (!Number.isInteger(first)) return lacking('count needs a number.');
  if (first === 0) return atom('$index');
  return first === 1 ? atom('$number') : (binary('+', atom('$index'), atom(String(first))) ?? atom('$number'));
}

function blockOf(name: string, conditions: Conditions): Result | undefined {
  if (name === 'showBegin' || name === 'hideBegin') {
    return { kind: 'begin', condition: conditions.condition(), isHidden: name === 'hideBegin' };
  }
  return name === 'showEnd' || name === 'hideEnd' ? { kind: 'end' } : undefined;
}

/** Translates `ifEQ … and … show … elseShow` into one expression. */
class Conditions {
  value: Piece;
  readonly #context: FormatterContext;
  readonly #branches: { readonly test: Piece; readonly text: Piece }[] = [];
  /** The operand of the next condition; the value, unless `and` or `or` names another one. */
  #operand: Piece | undefined;
  #test: Piece | undefined;
  #link: '&&' | '||' = '&&';
  #otherwise: Piece | undefined;

  constructor(value: Piece, context: FormatterContext) {
    this.value = value;
    this.#context = context;
  }

  /** Whether the formatter belongs to a condition. */
  accept(name: string, args: readonly Argument[]): boolean {
    const [only] = args;
    const { argument } = this.#context;
    const operand = this.#operand ?? this.value;
    const sign = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
    if (sign !== undefined) this.#add(binary(sign, operand, only === undefined ? atom('null') : argument(only)));
    else if (name === 'ifEM') this.#add(not(isFull(operand)));
    else if (name === 'ifNEM') this.#add(isFull(operand));
    else if (name === 'and' || name === 'or') {
      this.#link = name === 'and' ? '&&' : '||';
      this.#operand = only === undefined ? undefined : argument(only);
    } else if (name === 'show' && only !== undefined) {
      this.#branches.push({ test: this.condition(), text: argument(only) });
      this.#test = undefined;
      this.#operand = undefined;
      this.#link = '&&';
    } else if (name === 'elseShow' && only !== undefined) this.#otherwise = argument(only);
    else return false;
    return true;
  }

  #add(test: Piece | undefined): void {
    this.#test = test === undefined || this.#test === undefined ? test : binary(this.#link, this.#test, test);
  }

  condition(): Piece {
    return this.#test ?? lacking('The condition is missing.');
  }

  /** The value built so far. */
  finish(): Piece {
    if (this.#test !== undefined) return lacking('The condition shows and hides nothing.');
    const piece = this.#branches.reduceRight(
      (rest, { test, text }) => choice(test, text, rest),
      this.#otherwise ?? this.value,
    );
    this.#branches.length = 0;
    this.#otherwise = undefined;
    return piece;
  }
}

/** In Carbone, 0 counts as a value; in Docmill's conditions it does not. */
function isFull(piece: Piece): Piece {
  const zero = binary('==', piece, atom('0')) ?? piece;
  return { text: `${within(piece, levels.and)} || ${zero.text}`, level: levels.or };
}

/** A constant argument of a formatter: a number, true, false, null, or a string. */
export function textPiece(text: string, isQuoted = true): Piece {
  if (!isQuoted && (/^-?\d+(\.\d+)?$/.test(text) || ['true', 'false', 'null'].includes(text))) return atom(text);
  return quoted(text) ?? lacking('A text in a tag cannot have braces. Send it as a value.');
}

function lacking(message: string): never {
  throw new Untranslatable(message);
}
