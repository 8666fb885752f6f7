/**
 * Whether a template only asks if a value is true: its tags neither print it, nor enter it as a list or an object.
 *
 * @param schema the JSON Schema of the data of the template, as its upload infers it
 * @param path where the value is in the data: `['modules', 0, 'passed']`
 */
export function takesYesOrNo(schema: unknown, path: readonly (string | number)[]): boolean {
  let node = schema;
  for (const key of path) node = typeof key === 'number' ? read(node, 'items') : valueSchema(node, key);
  return read(node, 'type') === 'boolean';
}

/** Keys that come from the data have one schema for all of their values. */
function valueSchema(node: unknown, key: string): unknown {
  return read(read(node, 'properties'), key) ?? read(node, 'additionalProperties');
}

function read(node: unknown, key: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
  return (node as Readonly<Record<string, unknown>>)[key];
}
