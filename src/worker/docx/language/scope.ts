import { placeInData } from './grouped-items.ts';
import type { RenderContext } from './render-context.ts';
import type { RepeatedList } from './repeated-list.ts';
import type { Use, UseKind } from './use.ts';

/** The compiled text of a tag, which is evaluated in a scope. */
export interface Expression {
  /** The value, `undefined` when it is missing. Throws ValueProblem for values that the expression cannot use. */
  evaluate(scope: Scope): unknown;
  /** The JSON path (`data.items[3].price`) of the value, or of where it would be. */
  locate(scope: Scope): string;
  /** The JSON path of an item of the resulting list, if its index differs from the index in the data. */
  locateItem?(scope: Scope, item: unknown, index: number): string;
  /** The missing JSON paths if `evaluate` returned `undefined`. Default: the path of `locate`. */
  missing?(scope: Scope): readonly string[];
  /** The names it looks up when its result is used as `kind`. */
  uses(kind: UseKind): readonly Use[];
}

/** Compiles the text of a tag. Throws ExpressionError with a message for the template author. */
export type TagParser = (text: string) => Expression;

/** The position of an item in the list that a section repeats. */
export interface ListPosition {
  readonly index: number;
  readonly count: number;
  readonly list: RepeatedList;
}

/** One level of name lookup: the whole data, or the current item of a section. */
export class Scope {
  readonly value: unknown;
  readonly parent: Scope | undefined;
  readonly context: RenderContext;
  /** Set for list items. */
  readonly position: ListPosition | undefined;
  readonly #source: Expression | undefined;
  /** The level in which `source` is evaluated. */
  readonly #around: Scope | undefined;

  private constructor(
    value: unknown,
    context: RenderContext,
    around?: Scope,
    source?: Expression,
    position?: ListPosition | undefined,
    isAlone = false,
  ) {
    this.value = value;
    this.context = context;
    this.parent = isAlone ? undefined : around;
    this.#around = around;
    this.#source = source;
    this.position = position;
  }

  static root(data: unknown, context: RenderContext): Scope {
    return new Scope(data, context);
  }

  /** The inner level for the value of `source`, or, with a position, for one item of that list. */
  enter(value: unknown, source: Expression, position?: ListPosition): Scope {
    return new Scope(value, this.context, this, source, position);
  }

  /** The innermost level that is an item of a list; undefined outside lists. */
  get listItem(): Scope | undefined {
    let level: Scope | undefined = this;
    while (level !== undefined && level.position === undefined) level = level.parent;
    return level;
  }

  /** The level of another item of the list, for a level that is an item. */
  itemAt(index: number): Scope {
    const { position } = this;
    if (position === undefined || position.index === index) return this;
    const { list } = position;
    const isAlone = this.parent === undefined;
    return new Scope(list.items[index], this.context, this.#around, this.#source, { ...position, index }, isAlone);
  }

  /** Like `enter`, but names are looked up only in the value. */
  enterAlone(value: unknown, source: Expression, position?: ListPosition): Scope {
    return new Scope(value, this.context, this, source, position, true);
  }

  /** The JSON path of this level in the request, such as `data.orders[2]`. */
  get path(): string {
    const source = this.#source;
    const around = this.#around;
    if (around === undefined || source === undefined) return 'data';
    if (this.position === undefined) return source.locate(around);
    const { index, list } = this.position;
    const place = placeInData(list.items, index);
    if (place !== undefined) return place;
    return source.locateItem?.(around, this.value, index) ?? `${source.locate(around)}[${index}]`;
  }
}

/** Appends one key to a JSON path: `.name`, `["first-name"]` or `[3]`. */
export function joinPath(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
