import { comparisons } from '../../language/expressions/formatters/compare-texts.ts';
import { isNumberStyle } from '../../language/expressions/formatters/number-styles.ts';
import type { Piece, WordField } from './find-fields.ts';
import { type Argument, type Instruction, isBreak, readInstruction, textOf } from './instruction.ts';

/** The properties of the template that its fields depend on. */
export interface FieldSettings {
  /** The language of a run, from its `w:rPr` or else the default of the document. */
  readonly languageOf: (run: string) => string | undefined;
  /** The expression of an ADDRESSBLOCK or a GREETINGLINE. */
  readonly blockOf: (instruction: Instruction) => string;
  /** Whether the document itself gives a property its value. */
  readonly ownsProperty: (name: string) => boolean;
  /** The first spelling of a name in the template, so that the schema has each name once. */
  readonly spellingOf: (name: string) => string;
  /** Whether the part prints several records: it has NEXT, NEXTIF or SKIPIF. */
  readonly hasRecords: boolean;
  /** Whether the part is the body of the document. */
  readonly isBody: boolean;
}

export interface FieldContext extends FieldSettings {
  readonly read: (field: WordField) => Instruction | undefined;
  /** The expression of a field that prints a value; undefined for any other field. */
  readonly expressionOf: (field: WordField) => string | undefined;
}

/** Reads each field once, so that nested fields take linear time. */
export function fieldContext(settings: FieldSettings): FieldContext {
  const context: FieldContext = {
    ...settings,
    read: remember((field) => readInstruction(field.instruction)),
    expressionOf: remember((field) => expressionOf(field, context)),
  };
  return context;
}

function remember<T>(make: (field: WordField) => T): (field: WordField) => T {
  const known = new Map<WordField, { readonly value: T }>();
  return (field) => {
    const found = known.get(field) ?? { value: make(field) };
    known.set(field, found);
    return found.value;
  };
}

/** A text as a literal of the template language, without quotes and braces that could end it or its tag. */
export function literal(text: string): string {
  const escaped = text.replace(/["\\“”„‟″«»]/g, '\\$&').replace(/[{}\n\t\r]/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

/** A merge field by one of several names. */
export function fieldNamed(...names: readonly string[]): string {
  return `$field[${literal(names.map((name) => name.replaceAll('|', ' ').trim()).join('|'))}]`;
}

const regionMarks = /^(?:(TableStart|BeginGroup|RangeStart)|(TableEnd|EndGroup|RangeEnd)):\s*(.*)$/is;

/** The beginning or the end of a region: `TableStart:Orders`. */
export function regionOf({
  keyword,
  args,
}: Instruction): { readonly name: string; readonly isEnd: boolean } | undefined {
  const [, start, , name = ''] = keyword === 'MERGEFIELD' ? (regionMarks.exec(nameOf(args)) ?? []) : [];
  if (name === '') return undefined;
  return { name, isEnd: start === undefined };
}

function nameOf(args: readonly Argument[]): string {
  return args
    .map((argument) => textOf(argument) ?? '')
    .join(' ')
    .trim();
}

/** The name of a merge field that prints a value. */
export function mergeName(instruction: Instruction): string | undefined {
  const { keyword, args } = instruction;
  const isValue = keyword === 'MERGEFIELD' && args.every((argument) => textOf(argument) !== undefined);
  if (!isValue || regionOf(instruction) !== undefined || pictureOf(instruction) !== undefined) return undefined;
  const name = nameOf(args);
  return name === '' ? undefined : name;
}

/** The name of a picture: `Image:Photo`. */
export function pictureOf({ keyword, args }: Instruction): string | undefined {
  return keyword === 'MERGEFIELD' ? /^Image:\s*(.+)$/is.exec(nameOf(args))?.[1] : undefined;
}

function expressionOf(field: WordField, context: FieldContext): string | undefined {
  const instruction = context.read(field);
  if (instruction === undefined) return undefined;
  const { keyword, args } = instruction;
  if (keyword === 'ADDRESSBLOCK' || keyword === 'GREETINGLINE') return context.blockOf(instruction);
  if (keyword === 'IF') return conditionalText(instruction, field, context);
  const name = nameOf(args);
  if (name === '' || args.some((argument) => textOf(argument) === undefined) || regionOf(instruction)) return undefined;
  const own = fieldNamed(context.spellingOf(name));
  const merged = context.hasRecords ? own.replace('$field', '$record') : own;
  if (keyword === 'MERGEFIELD') return withSwitches(merged, instruction, context.languageOf(field.run));
  const isDocument = keyword === 'DOCVARIABLE' || (keyword === 'DOCPROPERTY' && !context.ownsProperty(name));
  if (!isDocument) return undefined;
  const saved = /^Error!/.test(field.result) ? '' : field.result;
  const value = `(${own} ?? ${literal(saved)})`;
  return withSwitches(value, instruction, context.languageOf(field.run));
}

const cases: Readonly<Record<string, string>> = {
  upper: 'upper',
  lower: 'lower',
  caps: 'caps',
  firstcap: 'capitalize',
};
const kept = new Set(['mergeformat', 'charformat', 'mergeformatinet']);

/** The switches that the service does not follow; documents print the value without them. */
export function unknownSwitches({ switches }: Instruction): readonly string[] {
  const names = (switches.get('*') ?? []).map((argument) => textOf(argument) ?? '');
  return names.filter((name) => {
    const lower = name.toLowerCase();
    return !Object.hasOwn(cases, lower) && !isNumberStyle(name) && !kept.has(lower);
  });
}

function withSwitches(value: string, { switches }: Instruction, language: string | undefined): string {
  const inLanguage = language === undefined ? '' : `:${literal(language)}`;
  const pictures = [['#', 'numberPicture'] as const, ['@', 'datePicture'] as const];
  let expression = value;
  for (const [name, formatter] of pictures) {
    const picture = firstText(switches.get(name));
    if (picture !== '') expression += ` | ${formatter}:${literal(picture)}${inLanguage}`;
  }
  for (const argument of switches.get('*') ?? []) {
    const name = textOf(argument) ?? '';
    const formatter = cases[name.toLowerCase()];
    if (formatter !== undefined) expression += ` | ${formatter}`;
    else if (isNumberStyle(name)) expression += ` | numberStyle:${literal(name)}${inLanguage}`;
  }
  const [before, after] = [firstText(switches.get('b')), firstText(switches.get('f'))];
  return before === '' && after === '' ? expression : `${expression} | surround:${literal(before)}:${literal(after)}`;
}

export function firstText(args: readonly Argument[] | undefined): string {
  const [first] = args ?? [];
  return first === undefined ? '' : (textOf(first) ?? '');
}

/** An IF, NEXTIF or SKIPIF: its condition, and its two texts. */
export interface Condition {
  readonly test: string;
  readonly whenTrue: Argument | undefined;
  readonly whenFalse: Argument | undefined;
}

/** Undefined if an operand is a field without an expression, such as PAGE. */
export function conditionOf({ args }: Instruction, context: FieldContext): Condition | undefined {
  const [left, comparison, right, whenTrue, whenFalse] = args;
  const written = comparison === undefined ? '' : (textOf(comparison) ?? '');
  if (left === undefined || right === undefined || !comparisons.includes(written)) return undefined;
  const [a, b] = [operandOf(left, context), operandOf(right, context)];
  if (a === undefined || b === undefined) return undefined;
  return { test: `${a} | compare:${literal(written)}:${b}`, whenTrue, whenFalse };
}

/** Whether data decides the argument: it has a tag or a field with an expression. */
export function readsData({ pieces }: Argument, context: FieldContext): boolean {
  return pieces.some(
    (piece) =>
      (piece.kind === 'field' && context.expressionOf(piece.field) !== undefined) ||
      (piece.kind === 'text' && /\{[^{}]+\}/.test(piece.text)),
  );
}

/** An argument as one expression; undefined if it holds something without one. */
function operandOf({ pieces }: Argument, context: FieldContext): string | undefined {
  const parts = joinTexts(pieces).map((piece) => partsOf(piece, context));
  if (parts.some((part) => part === undefined)) return undefined;
  const all = parts.flatMap((part) => part ?? []);
  if (all.length === 0) return literal('');
  return all.length === 1 ? (all[0] ?? literal('')) : `(${[literal(''), ...all].join(' + ')})`;
}

function joinTexts(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}

function partsOf(piece: Piece, context: FieldContext): readonly string[] | undefined {
  if (piece.kind === 'field') {
    const expression = context.expressionOf(piece.field);
    if (expression === undefined) return undefined;
    return [context.read(piece.field)?.keyword === 'IF' ? expression : `(${optional(expression)})`];
  }
  if (piece.kind === 'paragraph' || isBreak(piece)) return [literal('\n')];
  if (piece.kind !== 'text') return undefined;
  return piece.text.split(/(\{[^{}]+\})/).flatMap((text) => {
    if (text === '') return [];
    return /^\{[^{}]+\}$/.test(text) ? [`(${optional(text.slice(1, -1).trim())})`] : [literal(text)];
  });
}

function optional(expression: string): string {
  return `(${expression}) ?? ""`;
}

function conditionalText(instruction: Instruction, field: WordField, context: FieldContext): string | undefined {
  const condition = conditionOf(instruction, context);
  if (condition === undefined || ![...instruction.args].some((argument) => readsData(argument, context)))
    return undefined;
  const none = { pieces: [], isQuoted: true };
  const yes = operandOf(condition.whenTrue ?? none, context);
  const no = operandOf(condition.whenFalse ?? none, context);
  if (yes === undefined || no === undefined) return undefined;
  return withSwitches(`((${condition.test}) ? ${yes} : ${no})`, instruction, context.languageOf(field.run));
}
