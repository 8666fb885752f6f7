import type { Expression } from './expression.ts';

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
