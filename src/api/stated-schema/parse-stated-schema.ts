import { z } from '@hono/zod-openapi';
import type { DataSchema } from '../../shared/data-schema.ts';
import { AppError } from '../../shared/errors.ts';
import { isObject, type Json } from '../../shared/json.ts';
import { plainIssue } from '../../shared/schema-issues.ts';
import { storableText } from '../../shared/storable-text.ts';
import { parseJson } from '../http/parse-json.ts';

export const maxStatedBytes = 64 * 1024;
const maxMistakes = 50;
const maxDepth = 16;

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const aboutTypes = `must be ${types.slice(0, -1).join(', ')} or null, or a list of them`;
const type = z.enum(types, aboutTypes);
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a string, a number, true, false or null',
);

/** The keywords that Docmill honours wherever it uses a schema. Others are refused, so that none is silently ignored. */
const keywords: z.ZodType<DataSchema> = z.lazy(() =>
  z.strictObject({
    type: z.union([type, z.array(type).min(1)], aboutTypes).optional(),
    properties: z.record(z.string(), keywords).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: keywords.optional(),
    items: keywords.optional(),
    anyOf: z.array(keywords).min(1).optional(),
    enum: z.array(scalar).min(1).optional(),
    format: z.enum(['date', 'date-time', 'uri'], 'must be date, date-time or uri').optional(),
    contentEncoding: z.literal('base64', 'must be base64').optional(),
    contentMediaType: z.enum(['text/html', 'text/markdown'], 'must be text/html or text/markdown').optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    examples: z.array(z.custom<Json>(() => true)).optional(),
  }),
) as z.ZodType<DataSchema>;

/**
 * Reads what an author states about the schema of a template. Undefined for an empty object, which states nothing.
 * Throws `template_invalid` with one entry for each mistake.
 */
export function parseStatedSchema(bytes: Buffer): DataSchema | undefined {
  const parsed = parseJson(bytes);
  if ('problem' in parsed) throw refusal([`schema: ${parsed.problem}`]);
  if (!isObject(parsed.value)) throw refusal(['schema: must be an object']);
  const { $schema: _dialect, ...stated } = parsed.value;
  if (!isStorable(stated)) throw refusal(['schema: has a null character or half of a surrogate pair']);
  if (depthOf(stated) > maxDepth) throw refusal([`schema: has more than ${maxDepth} levels of objects and lists`]);
  const result = keywords.safeParse(stated);
  if (!result.success) throw refusal(result.error.issues.flatMap(toMistakes));
  const { type: own = 'object', items, anyOf, enum: values, examples = [] } = result.data;
  const isObjectSchema = own === 'object' && items === undefined && anyOf === undefined && values === undefined;
  if (!isObjectSchema || !examples.every(isObject)) throw refusal(['schema: must describe an object, like data']);
  return Object.keys(result.data).length === 0 ? undefined : result.data;
}

/** The levels of schemas within a schema. Examples may be deeper. */
function depthOf(schema: unknown): number {
  if (!isObject(schema)) return 0;
  const { properties, items, additionalProperties, anyOf } = schema;
  const inner = [items, additionalProperties, ...listOf(properties), ...listOf(anyOf)];
  return 1 + Math.max(0, ...inner.map(depthOf));
}

const listOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

function toMistakes(issue: z.core.$ZodIssue): string[] {
  const place = (path: readonly PropertyKey[]) => ['schema', ...path].map(String).join('.').slice(0, 200);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(
      (key) => `${place(issue.path)}: uses ${JSON.stringify(key.slice(0, 100))}, which Docmill does not read`,
    );
  }
  return [`${place(issue.path)}: ${plainIssue(issue)}`];
}

function refusal(mistakes: readonly string[]): AppError {
  const details = mistakes.slice(0, maxMistakes).map((message) => ({ type: 'Message', message }) as const);
  return new AppError('template_invalid', 'Template validation errors', { details });
}

/** Whether PostgreSQL can store every text in it. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return storableText(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => storableText(key) === key && isStorable(inner));
}
