import type { DataSchema, DataType } from '../../shared/data-schema.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

/** A value that fits a schema that an author states: `known` if it does, or else one made from the schema. */
export function exampleOf(schema: DataSchema, known: Json | undefined): Json {
  const { examples, enum: values, anyOf } = schema;
  const [stated] = examples ?? [];
  if (stated !== undefined) return stated;
  if (values !== undefined) return values.find((value) => value === known) ?? values[0] ?? null;
  if (anyOf !== undefined && schema.type === undefined) {
    const choice = anyOf.find(({ type }) => [type ?? []].flat().some((one) => isOf(one, known))) ?? anyOf[0];
    return exampleOf(choice ?? {}, known);
  }
  const types = [schema.type ?? impliedType(schema) ?? []].flat();
  const type = types.find((one) => isOf(one, known)) ?? types[0];
  return type === undefined ? (known ?? 'Text') : exampleOfType(type, schema, isOf(type, known) ? known : undefined);
}

function impliedType({ properties, additionalProperties, items }: DataSchema): DataType | undefined {
  if (properties !== undefined || additionalProperties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}

function isOf(type: DataType, value: Json | undefined): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

/** @param known a value of this type */
function exampleOfType(type: DataType, schema: DataSchema, known: Json | undefined): Json {
  switch (type) {
    case 'object':
      return objectOf(schema, isObject(known) ? (known as JsonObject) : {});
    case 'array':
      return (Array.isArray(known) ? known : [undefined]).map((item) => exampleOf(schema.items ?? {}, item));
    case 'string':
      return textOf(schema, typeof known === 'string' ? known : undefined);
    case 'number':
    case 'integer':
      return known ?? 12;
    case 'boolean':
      return known ?? true;
    case 'null':
      return null;
  }
}

function objectOf({ properties = {}, additionalProperties }: DataSchema, known: JsonObject): JsonObject {
  const fields = Object.entries(properties).map(([name, field]) => {
    return [name, exampleOf(field, Object.hasOwn(known, name) ? known[name] : undefined)] as const;
  });
  return { ...valuesOf(known, additionalProperties), ...Object.fromEntries(fields) };
}

/** The values of an object whose keys come from the data. Without a schema, they stay as they are. */
export function valuesOf(known: JsonObject, schema: DataSchema | undefined): JsonObject {
  if (schema === undefined) return known;
  return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, exampleOf(schema, value)]));
}

const formats = {
  date: { pattern: /^\d{4}-\d\d-\d\d$/, example: '2026-03-31' },
  'date-time': { pattern: /^\d{4}-\d\d-\d\dT/, example: '2026-03-31T14:30:00Z' },
  uri: { pattern: /^[a-z][a-z0-9+.-]*:/i, example: 'https://example.com/' },
};

function textOf({ format }: DataSchema, known: string | undefined): string {
  if (format === undefined) return known ?? 'Text';
  const { pattern, example } = formats[format];
  return known !== undefined && pattern.test(known) ? known : example;
}
