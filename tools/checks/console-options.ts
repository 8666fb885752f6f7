import type { createOpenApiDocument } from '../../src/api/documentation/openapi-document.ts';

/** The keywords that a form uses. The service checks patterns and rules that cover several fields. */
const keptKeywords: ReadonlySet<string> = new Set([
  '$ref',
  'anyOf',
  'description',
  'enum',
  'example',
  'format',
  'items',
  'maximum',
  'minimum',
  'properties',
  'required',
  'type',
]);
/** Schemas that a form shows as a text of JSON, because they have hundreds of fields. */
const shownAsJson: ReadonlySet<string> = new Set(['#/components/schemas/InvoiceData']);
/** Fields that are masked during input. */
const secretFields: ReadonlySet<string> = new Set(['password']);

type Json = Readonly<Record<string, unknown>>;

/** Writes the schemas of all generate options except the data, from which the console's playground builds a form. */
export function writeConsoleOptions(openApi: ReturnType<typeof createOpenApiDocument>): string {
  const schemas = (openApi.components?.schemas ?? {}) as Readonly<Record<string, Json>>;
  const written: Record<string, unknown> = {};
  const add = (name: string): void => {
    if (name in written) return;
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}.`);
    written[name] = {};
    written[name] = reduce(schema, add);
  };
  add('GenerateRequest');
  return `${JSON.stringify(Object.fromEntries(Object.entries(written).sort()), null, 2)}\n`;
}

function reduce(schema: Json, add: (name: string) => void): Json {
  if (shownAsJson.has(String(schema.$ref))) return { type: 'object' };
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!keptKeywords.has(keyword)) continue;
    if (keyword === '$ref') add(String(value).split('/').at(-1) ?? '');
    if (keyword === 'properties') kept[keyword] = reduceProperties(value as Readonly<Record<string, Json>>, add);
    else if (keyword === 'items') kept[keyword] = reduce(value as Json, add);
    else if (keyword === 'anyOf') kept[keyword] = (value as readonly Json[]).map((part) => reduce(part, add));
    // The form shows plain text, without Markdown.
    else kept[keyword] = typeof value === 'string' ? value.replaceAll('`', '') : value;
  }
  return kept;
}

function reduceProperties(properties: Readonly<Record<string, Json>>, add: (name: string) => void): Json {
  const entries = Object.entries(properties).map(([name, property]) => {
    const reduced = reduce(property, add);
    return [name, secretFields.has(name) ? { ...reduced, writeOnly: true } : reduced];
  });
  return Object.fromEntries(entries);
}
