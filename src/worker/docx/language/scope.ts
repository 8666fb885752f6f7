/** What stands between the braces of a tag, ready to be asked for its value in a scope. */
export interface Expression {
  /** The value found, `undefined` when the data has none. */
  evaluate(scope: Scope): unknown;
  /** The JSON path (`data.items[3].price`) of the value, or of where it would be. */
  locate(scope: Scope): string;
}

/** Turns the text of a tag into an expression; throws an Error with a sentence for the author when it cannot. */
export type TagParser = (text: string) => Expression;

/** One level of the data a template looks in: the whole data, or the current item of a section. */
export class Scope {
  readonly value: unknown;
  readonly parent: Scope | undefined;
  readonly #source: Expression | undefined;
  readonly #index: number | undefined;

  constructor(value: unknown, parent?: Scope, source?: Expression, index?: number) {
    this.value = value;
    this.parent = parent;
    this.#source = source;
    this.#index = index;
  }

  /** Where this level stands in the request, such as `data.orders[2]`. */
  get path(): string {
    if (this.parent === undefined || this.#source === undefined) return 'data';
    const list = this.#source.locate(this.parent);
    return this.#index === undefined ? list : `${list}[${this.#index}]`;
  }
}

/** Appends one key to a JSON path: `.name`, `["first-name"]` or `[3]`. */
export function joinPath(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}
