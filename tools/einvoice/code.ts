/**
 * JavaScript for an expression, and what it yields: a list of nodes, a list of any values (`many`), one value or
 * undefined (`one`), or exactly one string or boolean.
 */
export interface Code {
  readonly js: string;
  readonly type: 'nodes' | 'many' | 'one' | 'string' | 'boolean';
}

/** The names that an expression can refer to. */
export interface Scope {
  /** The JavaScript variable of the context node. `document` is in scope everywhere. */
  readonly node: string;
  readonly variables: ReadonlyMap<string, Code>;
  /** Maps a prefix of the rule file to the prefix that node names have for the same namespace. */
  readonly prefixOf: (prefix: string) => string;
}

export function asMany({ js, type }: Code): string {
  if (type === 'nodes' || type === 'many') return js;
  return type === 'one' ? `optional(${js})` : `[${js}]`;
}

export function asOne({ js, type }: Code): string {
  return type === 'nodes' || type === 'many' ? `single(${js})` : js;
}

export function asText(code: Code): string {
  return code.type === 'string' ? code.js : `textOf(${asOne(code)})`;
}

export function asBoolean(code: Code): string {
  if (code.type === 'boolean') return code.js;
  if (code.type === 'nodes') return `${code.js}.length > 0`;
  return code.type === 'string' ? `(${code.js} !== '')` : `truth(${asMany(code)})`;
}
