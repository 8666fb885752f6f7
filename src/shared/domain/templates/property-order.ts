import type { DataSchema } from '../../data-schema.ts';
import type { Json, JsonObject } from '../../json.ts';

/*
 * PostgreSQL stores the keys of JSON objects in the order of their length. People read a schema, and the form made of
 * it, in the order of the template: a stored schema lists the names of its properties in that order.
 */

/** The schema to store. */
export function withPropertyOrder(schema: DataSchema): DataSchema {
  const { properties } = schema;
  const inner = changeInner(schema, withPropertyOrder);
  return properties === undefined ? inner : { ...inner, propertyOrder: Object.keys(properties) };
}

/** A stored schema as it was given. Versions from before the order was stored keep that of PostgreSQL. */
export function inPropertyOrder({ propertyOrder, ...schema }: DataSchema): DataSchema {
  const { properties } = schema;
  const ordered = properties === undefined ? schema : { ...schema, properties: sorted(properties, propertyOrder) };
  return changeInner(ordered, inPropertyOrder);
}

/** Example data with the keys of its objects in the order of their schema. */
export function inOrderOf({ properties = {} }: DataSchema, value: JsonObject): JsonObject {
  const entries = Object.entries(sorted(value, Object.keys(properties)));
  return Object.fromEntries(entries.map(([name, part]) => [name, orderValue(properties[name], part)]));
}

function orderValue(schema: DataSchema | undefined, value: Json): Json {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map((item) => orderValue(schema.items, item)) : inOrderOf(schema, value);
}

/** Unlike `Array.isArray`, also for lists that are read only. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function changeInner(schema: DataSchema, change: (inner: DataSchema) => DataSchema): DataSchema {
  const { properties, additionalProperties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])),
    }),
    ...(additionalProperties !== undefined && { additionalProperties: change(additionalProperties) }),
    ...(items !== undefined && { items: change(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(change) }),
  };
}

/** The entries that `names` lists first, in that order, then all others. */
function sorted<T>(entries: Readonly<Record<string, T>>, names: readonly string[] = []): Readonly<Record<string, T>> {
  const positions = new Map(names.map((name, position) => [name, position]));
  const positionOf = ([name]: readonly [string, T]) => positions.get(name) ?? names.length;
  return Object.fromEntries(Object.entries(entries).sort((a, b) => positionOf(a) - positionOf(b)));
}
