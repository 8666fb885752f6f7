import type { RenderContext } from '../render-context.ts';
import { joinPath, type Scope } from '../scope.ts';
import type { UseKind } from '../use.ts';
import { asNumber } from './arithmetic.ts';
import { itemPathOf, type Operand, pathOf, type ResultType } from './operand.ts';
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
  /** The problem of an argument, as "must be …"; undefined if it is valid. */
  readonly check?: (value: unknown) => string | undefined;
}

/** The input type of a formatter; any other input is an error in the data. */
export type Input = 'number' | 'text' | 'date' | 'list' | 'any';

/** One formatter, `{value | name:argument}`. */
export interface Formatter {
  readonly takes: Input;
  readonly gives: ResultType;
  readonly parameters: readonly Parameter[];
  /** Also runs for missing and null input, which otherwise passes through unchanged. */
  readonly takesMissing?: boolean;
  /** Only tests whether its input is true. */
  readonly isTest?: boolean;
  /** Its result is a list of items of its input. */
  readonly keepsItems?: boolean;
  /** Does not visit each item of the list. */
  readonly isCheap?: boolean;
  /** The parameter that names a key of the items, how that key is used, and the parameter with a sample value of it. */
  readonly itemKey?: { readonly parameter: number; readonly kind: UseKind; readonly sample?: number };
  /** Whether its dates need a time of day, given its first argument. */
  readonly dateKind?: (argument: unknown) => 'date' | 'date-time';
  apply(input: unknown, args: Arguments, call: FormatterCall): unknown;
}

/** The arguments of one call, already checked against their parameter types. */
export class Arguments {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  has(index: number): boolean {
    return index < this.#values.length;
  }

  value(index: number): unknown {
    return this.#values[index];
  }

  text(index: number, fallback = ''): string {
    const value = this.#values[index];
    return value === undefined || value === null ? fallback : String(value);
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

  /** Reports the value of `key` in an item of the input list. */
  failItem(item: unknown, index: number, key: string, problem: string): never {
    throw new ValueProblem(this.#itemPath(item, index, key), problem);
  }

  /** Reports an item without the key; the result is then missing too. */
  reportMissing(item: unknown, index: number, key: string): undefined {
    this.context.missing?.push(this.#itemPath(item, index, key));
    return undefined;
  }

  #itemPath(item: unknown, index: number, key: string): string {
    const path = itemPathOf(this.#input, this.#scope, item, index);
    return key === '' || key === '.' ? path : joinPath(path, key);
  }
}

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
    apply: (input, args, call) =>
      typeof input === 'object'
        ? call.fail(`${describeType(input)}, and text is needed`)
        : apply(String(input), args, call),
  };
}

export type ListOptions = Pick<Formatter, 'keepsItems' | 'itemKey' | 'isCheap'>;

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
