import type { z } from '@hono/zod-openapi';

type Metadata = NonNullable<Parameters<z.ZodString['openapi']>[1]>;
type With<Keyword extends string, Schema> = Schema extends unknown
  ? Keyword extends keyof Schema
    ? Schema
    : never
  : never;

/** A rule of JSON Schema about the fields of an object; the schemas of OpenAPI 3.0 have no `const`. */
export type SchemaRule = With<'const', NonNullable<Metadata['not']>>;

const notNull: SchemaRule = { not: { type: 'null' } };

/** The field is present with a value that matches the schema. `null` counts as absent. */
export function given(name: string, schema?: SchemaRule): SchemaRule {
  // Needed because rules about fields do not apply to null, which would pass them.
  return { required: [name], properties: { [name]: schema === undefined ? notNull : all(notNull, schema) } };
}

export function isValue(value: string | boolean): SchemaRule {
  return { const: value };
}

/** A list that is not empty. */
export const hasItems: SchemaRule = { minItems: 1 };

export function all(...rules: SchemaRule[]): SchemaRule {
  return { allOf: rules };
}

export function anyOf(...rules: SchemaRule[]): SchemaRule {
  return { anyOf: rules };
}

export function not(rule: SchemaRule): SchemaRule {
  return { not: rule };
}

/**
 * The rules about several fields of an object, as combinations that are not allowed. Uses `not`, because client
 * generators ignore it; other keywords would change their types.
 */
export function neverAllowed(...rules: SchemaRule[]): { not: SchemaRule } {
  const [first = {}, ...others] = rules;
  return { not: others.length === 0 ? first : anyOf(...rules) };
}
