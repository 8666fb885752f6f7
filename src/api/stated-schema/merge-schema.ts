import type { DataSchema } from '../../shared/data-schema.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { exampleOf, valuesOf } from './example-of.ts';

export interface DescribedData {
  readonly schema: DataSchema;
  readonly example: JsonObject;
}

/**
 * Merges the schema that the author states over the schema of the tags. Objects are merged by property, and lists by
 * their items. A statement with only a description, title or example is added; any other replaces the schema of the
 * tags. The example is changed to match.
 */
export function mergeSchema(inferred: DescribedData, stated: DataSchema): DescribedData {
  const { schema, example } = mergeObject(inferred.schema, stated, inferred.example);
  return { schema, example: isObject(example) ? (example as JsonObject) : inferred.example };
}

interface Merged {
  readonly schema: DataSchema;
  readonly example: Json | undefined;
}

/** Keywords that say which values are valid. */
const constraining = ['type', 'anyOf', 'enum', 'format', 'contentEncoding', 'contentMediaType'] as const;

/** @param known the value of the example so far */
function merge(inferred: DataSchema | undefined, stated: DataSchema, known: Json | undefined): Merged {
  const { type, properties, items } = stated;
  if (properties !== undefined && (type ?? 'object') === 'object') return mergeObject(inferred, stated, known);
  if (items !== undefined && (type ?? 'array') === 'array') return mergeList(inferred, stated, items, known);
  // A description alone does not change the type. A section must not become text, because the text "no" counts as true.
  if (inferred !== undefined && !constraining.some((keyword) => stated[keyword] !== undefined))
    return { schema: { ...inferred, ...stated }, example: stated.examples?.[0] ?? known };
  return { schema: stated, example: exampleOf(stated, known) };
}

function mergeObject(inferred: DataSchema | undefined, stated: DataSchema, known: Json | undefined): Merged {
  const { type: _types, items: _items, properties: before = {}, ...others } = inferred ?? {};
  const { properties: after = {} } = stated;
  const object = objectIn(known);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => {
    const [old, next, value] = [own(before, name), own(after, name), own(object, name)];
    const field = next === undefined ? { schema: old ?? {}, example: value } : merge(old, next, value);
    return { name, ...field };
  });
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  const examples = fields.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example] as const]));
  return {
    schema: { ...(inferred?.properties === undefined ? {} : others), ...stated, type: 'object', properties },
    example: stated.examples?.[0] ?? {
      ...valuesOf(object, stated.additionalProperties),
      ...Object.fromEntries(examples),
    },
  };
}

function mergeList(
  inferred: DataSchema | undefined,
  stated: DataSchema,
  items: DataSchema,
  known: Json | undefined,
): Merged {
  const elements: readonly (Json | undefined)[] = Array.isArray(known) ? known : [known];
  const merged = elements.map((element) => merge(inferred?.items, items, element));
  // The schema is the same for every element. One more merge at each level would double the work with each level.
  const { schema } = merged[0] ?? merge(inferred?.items, items, undefined);
  return {
    schema: { ...stated, type: 'array', items: schema },
    example: stated.examples?.[0] ?? merged.flatMap(({ example }) => (example === undefined ? [] : [example])),
  };
}

/** The object in an example; for a section, the first object of its list. */
function objectIn(known: Json | undefined): JsonObject {
  const [first] = Array.isArray(known) ? known : [known];
  return isObject(first) ? (first as JsonObject) : {};
}

function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
