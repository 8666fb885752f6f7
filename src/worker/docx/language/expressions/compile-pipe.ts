import { nearestName } from '../edit-distance.ts';
import type { Scope } from '../scope.ts';
import type { Use, UseKind } from '../use.ts';
import { asNumber } from './arithmetic.ts';
import { ExpressionError } from './expression-error.ts';
import { Arguments, type Formatter, FormatterCall, type Parameter } from './formatter.ts';
import { formatters } from './formatters.ts';
import { evaluateOptional, type Operand, pathOf } from './operand.ts';
import { ValueProblem } from './value-problem.ts';

/** `{input | name:argument:argument}`; `operands` are the input and the arguments. */
export function compilePipe(name: string, operands: readonly Operand[]): Operand {
  const formatter = formatters.get(name);
  const [input, ...args] = operands;
  if (formatter === undefined || input === undefined) throw unknownFormatter(name);
  if (operands.some(({ result }) => result === 'link'))
    throw new ExpressionError('the formatter "link" must come last', `write ${name} before it`);
  checkArguments(name, formatter, args);
  const evaluate = (scope: Scope) => applyTo(formatter, input, args, scope);
  return {
    evaluate,
    locate: (scope) => input.locate(scope),
    locateItem: (scope, item, index) => {
      if (formatter.keepsItems !== true) return undefined;
      const list = input.evaluate(scope);
      const at = Array.isArray(list) ? list.indexOf(item) : -1;
      return input.locateItem(scope, item, at === -1 ? index : at);
    },
    uses: (kind) => [...inputUses(formatter, input, args, kind), ...argumentUses(formatter, args)],
    result: formatter.gives,
  };
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
  if (parameter.type === 'text' && typeof value === 'object') return 'must be a text';
  return parameter.check?.(value);
}

function applyTo(formatter: Formatter, input: Operand, args: readonly Operand[], scope: Scope): unknown {
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
  return formatter.apply(value, new Arguments(values), new FormatterCall(scope, input));
}

function inputUses(formatter: Formatter, input: Operand, args: readonly Operand[], kind: UseKind): readonly Use[] {
  if (formatter.takes === 'list') return listUses(formatter, input, args, kind);
  const { takes, takesMissing, isTest } = formatter;
  if (isTest === true) return input.uses('truth');
  if (takesMissing === true) return input.uses(kind).map((use) => ({ ...use, isOptional: true }));
  if (takes === 'date') return input.uses(formatter.dateKind?.(args[0]?.constant?.value) ?? 'date');
  return input.uses(takes);
}

function argumentUses({ parameters }: Formatter, args: readonly Operand[]): Use[] {
  return args.flatMap((arg, i) => {
    const { type, example, kind } = parameters[i] ?? { type: 'any' };
    return arg.uses(kind ?? (type === 'any' ? 'print' : type)).map((use) => ({ ...use, sample: example }));
  });
}

function listUses({ itemKey, keepsItems }: Formatter, input: Operand, args: readonly Operand[], kind: UseKind): Use[] {
  const key = itemKey === undefined ? undefined : args[itemKey.parameter]?.constant?.value;
  const sample = itemKey?.sample === undefined ? undefined : args[itemKey.sample]?.constant?.value;
  const items: Use[] =
    typeof key === 'string' && itemKey !== undefined ? [{ segments: key.split('.'), kind: itemKey.kind, sample }] : [];
  const uses = input.uses(keepsItems === true && kind === 'section' ? 'section' : 'list');
  return uses.map((use) => ({ ...use, isList: true, items: [...(use.items ?? []), ...items] }));
}
