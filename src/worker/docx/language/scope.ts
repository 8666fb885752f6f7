import type { RenderContext } from './render-context.ts';
import type { Use, UseKind } from './use.ts';

/** What stands between the braces of a tag, ready to be asked for its value in a scope. */
export interface Expression {
  /** The value found, `undefined` when the data has none. Throws ValueProblem for values a formula cannot use. */
  evaluate(scope: Scope): unknown;
  /** The JSON path (`data.items[3].price`) of the value, or of where it would be. */
  locate(scope: Scope): string;
  /** The JSON path of an item of the list the expression makes, where that is not the item of the same index. */
  locateItem?(scope: Scope, item: unknown, index: number): string;
  /** The JSON paths that are missing, when `evaluate` gave `undefined`; without it, the one of `locate`. */
  missing?(scope: Scope): readonly string[];
  /** The names it looks up when its result is used as `kind`. */
  uses(kind: UseKind): readonly Use[];
}

/** Turns the text of a tag into an expression; throws ExpressionError with a sentence for the author when it cannot. */
export type TagParser = (text: string) => Expression;

/** Where an item stands in the list that a section repeats. */
export interface ListPlace {
  readonly index: number;
  readonly count: number;
}

/** One level of the data a template looks in: the whole data, or the current item of a section. */
export class Scope {
  readonly value: unknown;
  readonly parent: Scope | undefined;
  readonly context: RenderContext;
  /** Set for the items of a list. */
  readonly place: ListPlace | undefined;
  readonly #source: Expression | undefined;

  private constructor(
    value: unknown,
    context: RenderContext,
    parent?: Scope,
    source?: Expression,
    place?: ListPlace | undefined,
  ) {
    this.value = value;
    this.context = context;
    this.parent = parent;
    this.#source = source;
    this.place = place;
  }

  static root(data: unknown, context: RenderContext): Scope {
    return new Scope(data, context);
  }

  /** The level of what `source` found in this scope; with a place, of one item of the list it found. */
  enter(value: unknown, source: Expression, place?: ListPlace): Scope {
    return new Scope(value, this.context, this, source, place);
  }

  /** Where this level stands in the request, such as `data.orders[2]`. */
  get path(): string {
    const source = this.#source;
    if (this.parent === undefined || source === undefined) return 'data';
    if (this.place === undefined) return source.locate(this.parent);
    const { index } = this.place;
    return source.locateItem?.(this.parent, this.value, index) ?? `${source.locate(this.parent)}[${index}]`;
  }
}

/** Appends one key to a JSON path: `.name`, `["first-name"]` or `[3]`. */
export function joinPath(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
