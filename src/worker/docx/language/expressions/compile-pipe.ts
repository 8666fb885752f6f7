import { nearestName } from '../edit-distance.ts';
import type { Scope } from '../scope.ts';
import type { Use, UseKind } from '../use.ts';
import { asNumber } from './arithmetic.ts';
import { asText } from './as-text.ts';
import { ExpressionError } from './expression-error.ts';
import { type AppliedFormatter, Arguments, type Formatter, FormatterCall, type Parameter } from './formatter.ts';
import { formatters } from './formatters.ts';
import { isMeantAsExpression, isPlainName } from './names.ts';
import { evaluateOptional, type Operand, pathOf } from './operand.ts';
import { ValueProblem } from './value-problem.ts';

/**
 * `{input | name:argument:argument}`; `operands` are the input and the arguments. `compile` compiles the text of an argument that is
 * an expression over an item.
 */
export function compilePipe(name: string, operands: readonly Operand[], compile: (text: string) => Operand): Operand {
  const formatter = formatters.get(name);
  const [input, ...args] = operands;
  if (formatter === undefined || input === undefined) throw unknownFormatter(name);
  if (operands.some(({ result }) => result === 'link'))
    throw new ExpressionError('the formatter "link" must come last', `write ${name} before it`);
  checkArguments(name, formatter, args);
  const expressions = formatter.parameters.map((parameter, i) => itemExpression(parameter, args[i], compile));
  return {
    evaluate: evaluatorOf(formatter, input, { args, expressions }),
    locate: (scope) => input.locate(scope),
    locateItem: (scope, item, index) => {
      if (formatter.keepsItems !== true) return undefined;
      const list = input.evaluate(scope);
      const at = Array.isArray(list) ? list.indexOf(item) : -1;
      return input.locateItem(scope, item, at === -1 ? index : at);
    },
    uses: (kind) => [...inputUses(formatter, input, { args, expressions }, kind), ...argumentUses(formatter, args)],
    result: formatter.gives,
  };
}

/** The arguments of a formatter and, at the same positions, those that are expressions over an item. */
interface Given {
  readonly args: readonly Operand[];
  readonly expressions: readonly (Operand | undefined)[];
}

/**
 * Compiles a literal argument that is an expression over an item. Undefined for a literal that may be a name: it is a
 * key of the items and is looked up unchanged. Strings from the data are never expressions.
 */
function itemExpression(
  parameter: Parameter,
  arg: Operand | undefined,
  compile: (text: string) => Operand,
): Operand | undefined {
  const text = parameter.readsItems === true ? arg?.constant?.value : undefined;
  if (typeof text !== 'string' || isPlainName(text)) return undefined;
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof ExpressionError && !isMeantAsExpression(text)) return undefined;
    throw error;
  }
}

function unknownFormatter(name: string): ExpressionError {
  const nearest = nearestName(name, formatters.keys());
  return new ExpressionError(`there is no formatter "${name}"`, nearest === undefined ? undefined : `write ${nearest}`);
}

function checkArguments(name: string, { parameters }: Formatter, args: readonly Operand[]): void {
  const needed = parameters.filter((parameter) => parameter.isOptional !== true).length;
  if (args.length < needed)
    throw new ExpressionError(
      `the formatter "${name}" needs ${list(parameters.slice(0, needed))}`,
      exampleOf(name, parameters.slice(0, needed)),
    );
  if (args.length > parameters.length) {
    const accepted = parameters.length === 0 ? 'no argument' : `${list(parameters)} only`;
    throw new ExpressionError(`the formatter "${name}" takes ${accepted}`);
  }
  for (const [i, arg] of args.entries()) {
    const problem = arg.constant === undefined ? undefined : argumentProblem(parameters[i], arg.constant.value);
    if (problem !== undefined)
      throw new ExpressionError(`${parameters[i]?.name} of the formatter "${name}" ${problem}`);
  }
}

function list(parameters: readonly Parameter[]): string {
  return parameters.map((parameter) => parameter.name).join(' and ');
}

function exampleOf(name: string, parameters: readonly Parameter[]): string {
  const args = parameters.map(({ type, name: argument, example = argument }) =>
    type === 'number' ? ':2' : `:"${example}"`,
  );
  return `write ${name}${args.join('')}`;
}

function argumentProblem(parameter: Parameter | undefined, value: unknown): string | undefined {
  if (parameter === undefined) return undefined;
  if (parameter.type === 'number' && asNumber(value) === undefined) return 'must be a number';
  if (parameter.type === 'text' && asText(value) === undefined) return 'must be text';
  return parameter.check?.(value);
}

function evaluatorOf(formatter: Formatter, input: Operand, given: Given): Operand['evaluate'] {
  return formatter.compile === undefined
    ? (scope) => applyTo(formatter, input, given, scope)
    : formatter.compile(input);
}

function applyTo(formatter: AppliedFormatter, input: Operand, { args, expressions }: Given, scope: Scope): unknown {
  const value = formatter.takesMissing === true ? evaluateOptional(input, scope) : input.evaluate(scope);
  if ((value === undefined || value === null) && formatter.takesMissing !== true) return value;
  const values: unknown[] = [];
  for (const [i, arg] of args.entries()) {
    const found = arg.constant === undefined ? arg.evaluate(scope) : arg.constant.value;
    if (arg.constant === undefined) {
      const isMissing = found === undefined || found === null;
      const acceptsMissing = formatter.takesMissing === true || formatter.parameters[i]?.acceptsMissing === true;
      if (isMissing && !acceptsMissing) return found;
      const problem = isMissing ? undefined : argumentProblem(formatter.parameters[i], found);
      if (problem !== undefined) throw new ValueProblem(pathOf(arg, scope), problem);
    }
    values.push(found);
  }
  return formatter.apply(value, new Arguments(values, expressions), new FormatterCall(scope, input));
}

function inputUses(formatter: Formatter, input: Operand, given: Given, kind: UseKind): readonly Use[] {
  if (formatter.takes === 'list') return listUses(formatter, input, given, kind);
  const { takes, takesMissing, isTest, needsList } = formatter;
  if (isTest === true) return input.uses('truth');
  if (takesMissing === true) return input.uses(kind).map((use) => ({ ...use, isOptional: true }));
  if (takes === 'date') return input.uses(formatter.dateKind?.(given.args[0]?.constant?.value) ?? 'date');
  const uses = input.uses(takes);
  return needsList === true ? [...uses, { segments: ['$number'], kind: 'number' }] : uses;
}

function argumentUses({ parameters }: Formatter, args: readonly Operand[]): Use[] {
  return args.flatMap((arg, i) => {
    const { type, example, kind } = parameters[i] ?? { type: 'any' };
    return arg.uses(kind ?? (type === 'any' ? 'print' : type)).map((use) => ({ ...use, sample: example }));
  });
}

function listUses(formatter: Formatter, input: Operand, given: Given, kind: UseKind): Use[] {
  const { itemKey, keepsItems, groupsItems } = formatter;
  const isRepeated = (keepsItems === true || groupsItems === true) && kind === 'section';
  const ofItems = itemKey === undefined ? [] : itemUses(itemKey, given);
  return input.uses(isRepeated ? 'section' : 'list').map((use) => {
    // The keys of groups are not those of the data.
    if (use.groupedBy !== undefined) return use;
    const known = { ...use, isList: true, items: [...(use.items ?? []), ...ofItems] };
    return groupsItems === true ? { ...known, groupedBy: ofItems } : known;
  });
}

function itemUses(itemKey: NonNullable<Formatter['itemKey']>, { args, expressions }: Given): readonly Use[] {
  const expression = expressions[itemKey.parameter];
  if (expression !== undefined) return expression.uses(itemKey.kind);
  const key = args[itemKey.parameter]?.constant?.value;
  const sample = itemKey.sample === undefined ? undefined : args[itemKey.sample]?.constant?.value;
  return typeof key === 'string' ? [{ segments: key.split('.'), kind: itemKey.kind, sample }] : [];
}
