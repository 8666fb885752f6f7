import { lookIn, own } from '../parse-path.ts';
import type { RenderContext } from '../render-context.ts';
import { RepeatedList } from '../repeated-list.ts';
import { type Expression, joinPath, type Scope } from '../scope.ts';
import type { UseKind } from '../use.ts';
import { asNumber } from './arithmetic.ts';
import { asText } from './as-text.ts';
import { evaluateOptional, itemPathOf, type Operand, pathOf, type ResultType } from './operand.ts';
import { describeType, ValueProblem } from './value-problem.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'text' | 'number' | 'any';
  readonly isOptional?: boolean;
  readonly example?: string | number;
  /** The formatter also runs when this argument is missing or null. */
  readonly acceptsMissing?: boolean;
  /** How the argument is used, if its type is not specific enough. */
  readonly kind?: UseKind;
  /** Names a key of the items; a string that cannot be a name is an expression over the item. */
  readonly readsItems?: boolean;
  /** The problem of an argument, as "must be …"; undefined if it is valid. */
  readonly check?: (value: unknown) => string | undefined;
}

/** The input type of a formatter; any other input is an error in the data. */
export type Input = 'number' | 'text' | 'date' | 'list' | 'any';

/** One formatter, `{value | name:argument}`. */
export type Formatter = AppliedFormatter | (FormatterTraits & Compiled);
export type AppliedFormatter = FormatterTraits & Applied;

interface Applied {
  apply(input: unknown, args: Arguments, call: FormatterCall): unknown;
  readonly compile?: never;
}

interface Compiled {
  /** Evaluates the input itself, in other items of the list too. */
  readonly compile: (input: Operand) => Operand['evaluate'];
}

interface FormatterTraits {
  readonly takes: Input;
  readonly gives: ResultType;
  readonly parameters: readonly Parameter[];
  /** Also runs for missing and null input, which otherwise passes through unchanged. */
  readonly takesMissing?: boolean;
  /** Only tests whether its input is true. */
  readonly isTest?: boolean;
  /** Its result is a list of items of its input. */
  readonly keepsItems?: boolean;
  /** Its result is a list of groups: `key`, and `items` of its input. */
  readonly groupsItems?: boolean;
  /** Must be inside a list. */
  readonly needsList?: boolean;
  /** Does not visit each item of the list. */
  readonly isCheap?: boolean;
  /** The parameter that names a key of the items, how that key is used, and the parameter with a sample value of it. */
  readonly itemKey?: { readonly parameter: number; readonly kind: UseKind; readonly sample?: number };
  /** Whether its dates need a time of day, given its first argument. */
  readonly dateKind?: (argument: unknown) => 'date' | 'date-time';
}

/** The value that a formatter reads in each item of a list: a key of the item, or an expression over it. */
export interface ItemKey {
  /** As written; `.` is the item itself. */
  readonly text: string;
  readonly expression: Operand | undefined;
}

/** The arguments of one call, already checked against their parameter types. */
export class Arguments {
  readonly #values: readonly unknown[];
  readonly #expressions: readonly (Operand | undefined)[];

  /** `expressions` holds the arguments that are expressions over an item, at the same positions. */
  constructor(values: readonly unknown[], expressions: readonly (Operand | undefined)[] = []) {
    this.#values = values;
    this.#expressions = expressions;
  }

  itemKey(index: number): ItemKey {
    return { text: this.text(index, '.'), expression: this.#expressions[index] };
  }

  has(index: number): boolean {
    return index < this.#values.length;
  }

  value(index: number): unknown {
    return this.#values[index];
  }

  text(index: number, fallback = ''): string {
    return asText(this.#values[index]) ?? fallback;
  }

  number(index: number, fallback = 0): number {
    return asNumber(this.#values[index]) ?? fallback;
  }
}

/** One call of a formatter in a scope: the context, and the paths that its errors name. */
export class FormatterCall {
  readonly context: RenderContext;
  readonly #scope: Scope;
  readonly #input: Operand;

  constructor(scope: Scope, input: Operand) {
    this.context = scope.context;
    this.#scope = scope;
    this.#input = input;
  }

  /** Reports the input. `problem` completes "the value …". */
  fail(problem: string): never {
    throw new ValueProblem(pathOf(this.#input, this.#scope), problem);
  }

  /**
   * Reads the key or the expression in each item of the input list. An expression finds names in the item first, then
   * around the formatter. Reports missing values unless `isOptional`.
   */
  *read(list: readonly unknown[], key: ItemKey, isOptional: boolean): Generator<unknown, void> {
    const { text, expression } = key;
    if (expression !== undefined) this.context.spendItems(list.length * Math.ceil(text.length / charsPerStep));
    const repeated = new RepeatedList(list);
    for (const [index, item] of list.entries()) {
      const found = expression === undefined ? lookIn(item, text) : own(item, text);
      if (found !== undefined) yield found;
      else if (expression !== undefined) {
        const scope = this.#scope.enter(item, this.#listExpression(), {
          index,
          count: list.length,
          list: repeated,
        });
        yield isOptional ? evaluateOptional(expression, scope) : expression.evaluate(scope);
      } else {
        if (!isOptional) this.context.missing?.push(this.itemPath(item, index, text));
        yield undefined;
      }
    }
  }

  /** Reports a value that `read` returned. */
  failItem(item: unknown, index: number, { text, expression }: ItemKey, value: unknown, need: string): never {
    const problem = `${describeType(value)}, and ${need} is needed`;
    if (expression === undefined) throw new ValueProblem(this.itemPath(item, index, text), problem);
    throw new ValueProblem(this.itemPath(item, index, ''), `gives a result for "${text}" that ${problem}`);
  }

  /** Reports a key or an expression for which no item of the list has a value. */
  failKey(list: readonly unknown[], { text, expression }: ItemKey): never {
    const isKey = expression === undefined;
    const problem = isKey
      ? 'is missing in every item of the list'
      : `gives no result for "${text}", nor does any other item`;
    throw new ValueProblem(this.itemPath(list[0], 0, isKey ? text : ''), problem);
  }

  /** The expression of the input list, whose items are the levels that `read` evaluates in. */
  #listExpression(): Expression {
    const input = this.#input;
    return {
      evaluate: (scope) => input.evaluate(scope),
      locate: (scope) => pathOf(input, scope),
      locateItem: (scope, item, index) => itemPathOf(input, scope, item, index),
      uses: (kind) => input.uses(kind),
    };
  }

  /** The JSON path of a key of an item; of the item itself for an empty key. */
  itemPath(item: unknown, index: number, key: string): string {
    const path = itemPathOf(this.#input, this.#scope, item, index);
    return key === '' || key === '.' ? path : joinPath(path, key);
  }
}

/** For each item, an expression counts as one visited item per this number of characters. */
const charsPerStep = 20;

type Typed<T> = (input: T, args: Arguments, call: FormatterCall) => unknown;

export function numberFormatter(gives: ResultType, parameters: readonly Parameter[], apply: Typed<number>): Formatter {
  return {
    takes: 'number',
    gives,
    parameters,
    apply: (input, args, call) => {
      if (input === '') return null;
      const number = asNumber(input);
      return number === undefined
        ? call.fail(`${describeType(input)}, and a number is needed`)
        : apply(number, args, call);
    },
  };
}

export function textFormatter(parameters: readonly Parameter[], apply: Typed<string>): Formatter {
  return {
    takes: 'text',
    gives: 'text',
    parameters,
    apply: (input, args, call) => {
      const text = asText(input);
      return text === undefined ? call.fail(`${describeType(input)}, and text is needed`) : apply(text, args, call);
    },
  };
}

export type ListOptions = Pick<Formatter, 'keepsItems' | 'groupsItems' | 'itemKey' | 'isCheap'>;

export function listFormatter(
  gives: ResultType,
  parameters: readonly Parameter[],
  options: ListOptions,
  apply: Typed<readonly unknown[]>,
): Formatter {
  return {
    takes: 'list',
    gives,
    parameters,
    ...options,
    apply: (input, args, call) => {
      if (!Array.isArray(input)) return call.fail(`${describeType(input)}, and a list is needed`);
      if (options.isCheap !== true) call.context.spendItems(input.length);
      return apply(input, args, call);
    },
  };
}
