/**
 * Whether a template only tests if a value is true: no tag prints it or opens it as a list or an object.
 *
 * @param schema the JSON Schema of the template's data, as inferred at upload
 * @param path where the value is in the data, such as `['modules', 0, 'passed']`
 */
export function takesYesOrNo(schema: unknown, path: readonly (string | number)[]): boolean {
  let node = schema;
  for (const key of path) node = typeof key === 'number' ? read(node, 'items') : valueSchema(node, key);
  return read(node, 'type') === 'boolean';
}

/** Objects whose keys come from the data have one schema for all values. */
function valueSchema(node: unknown, key: string): unknown {
  return read(read(node, 'properties'), key) ?? read(node, 'additionalProperties');
}

function read(node: unknown, key: string): unknown {
  return hasOwn(node, key) ? node[key] : undefined;
}

function hasOwn(node: unknown, key: string): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, key);
}
