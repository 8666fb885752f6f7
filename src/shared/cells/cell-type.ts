/** The type that the template needs for a value of its data. Anything that is not one of the first three is text. */
export type CellType = 'number' | 'date' | 'yesNo' | 'text';

/**
 * The type of a value that is one cell. `yesNo` is a value that no tag prints: a template only tests whether it is
 * true, or opens it as an object or a list, which shows its section for any text, even for “no”.
 *
 * @param schema the JSON Schema of the template's data
 * @param path where the value is in the data, such as `['modules', 0, 'passed']`
 */
export function cellTypeAt(schema: unknown, path: readonly (string | number)[]): CellType {
  let node = schema;
  for (const key of path) node = valueSchema(node, key);
  return cellTypeOf(node);
}

const unprinted: ReadonlySet<unknown> = new Set(['boolean', 'object', 'array']);
const numbers: ReadonlySet<unknown> = new Set(['number', 'integer']);

/** The type of a value that is one cell, from its own JSON Schema. */
export function cellTypeOf(schema: unknown): CellType {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 0) return 'text';
  if (types.every((type) => unprinted.has(type))) return 'yesNo';
  if (types.every((type) => numbers.has(type))) return 'number';
  const format = read(schema, 'format');
  return format === 'date' || format === 'date-time' ? 'date' : 'text';
}

function typesOf(schema: unknown): readonly unknown[] {
  return choicesOf(schema).flatMap((choice) => read(choice, 'type') ?? []);
}

/** The schemas of which a value needs to fit one. */
function choicesOf(schema: unknown): readonly unknown[] {
  const choices = read(schema, 'anyOf') ?? read(schema, 'oneOf');
  return Array.isArray(choices) && read(schema, 'type') === undefined ? choices.flatMap(choicesOf) : [schema];
}

/** Objects whose keys come from the data have one schema for all values. */
function valueSchema(schema: unknown, key: string | number): unknown {
  const found = choicesOf(schema).map((choice) => {
    if (typeof key === 'number') return read(choice, 'items');
    return read(read(choice, 'properties'), key) ?? read(choice, 'additionalProperties');
  });
  return found.find((value) => value !== undefined);
}

function read(node: unknown, key: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
  return (node as Readonly<Record<string, unknown>>)[key];
}
