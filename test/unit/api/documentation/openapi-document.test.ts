import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';

type Json = Readonly<Record<string, unknown>>;
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string; readonly schema: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

const document = createOpenApiDocument(operations);
const schemas = document.components?.schemas ?? {};
const described = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Readonly<Record<string, Described>>).map(([method, operation]) => ({
    name: `${method} ${path}`,
    operation,
  })),
);
const contents = described.flatMap(({ operation }) => [
  ...Object.entries(operation.requestBody?.content ?? {}).map(([type, content]) => ({
    what: `${operation.operationId} request ${type}`,
    content,
  })),
  ...Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.entries(response.content ?? {}).map(([type, content]) => ({
      what: `${operation.operationId} ${status} ${type}`,
      content,
    })),
  ),
]);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addSchema(document as object, 'document');

/** Schemas of the document refer to its components. */
function compile(schema: Json) {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Json);
}

test('every operation has a summary, a description, an id and one declared tag', () => {
  const declared = (document.tags ?? []).map(({ name }) => name);
  for (const { name, operation } of described) {
    expect(operation, name).toMatchObject({
      operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
      summary: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\S.*\.$/),
    });
    expect(operation.tags, name).toHaveLength(1);
    expect(declared, name).toEqual(expect.arrayContaining([...operation.tags]));
  }
  const groups = (document as unknown as { 'x-tagGroups': { tags: string[] }[] })['x-tagGroups'];
  expect(groups.flatMap(({ tags }) => tags).sort()).toEqual([...declared].sort());
});

test('every parameter and every field of a request has a description', () => {
  for (const { name, operation } of described) {
    for (const { name: parameter, description } of operation.parameters ?? []) {
      expect(description, `${name} ${parameter}`).toMatch(/\S/);
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const { properties = {} } = schema as { properties?: Record<string, { description?: string; $ref?: string }> };
    for (const [field, { description, $ref }] of Object.entries(properties)) {
      expect(description ?? $ref, `${name}.${field}`).toMatch(/\S/);
    }
  }
});

test('every body of JSON and every form has a named schema', () => {
  for (const { what, content } of contents) {
    if (/[/]json$|form-data$/.test(what)) expect(content.schema, what).toHaveProperty('$ref');
  }
});

test('every request and every response has an example that fits its schema', () => {
  expect(contents.length).toBeGreaterThan(300);
  for (const { what, content } of contents) {
    expect(content.example, what).toBeDefined();
    const check = compile(content.schema);
    expect(check(content.example), `${what}: ${ajv.errorsText(check.errors)}`).toBe(true);
  }
});

test('the examples of fields and parameters fit their schemas', () => {
  const examples: { what: string; schema: Json }[] = [];
  const visit = (what: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('example' in value && ('type' in value || 'enum' in value)) examples.push({ what, schema: value as Json });
    for (const [key, entry] of Object.entries(value)) if (key !== 'example') visit(`${what}/${key}`, entry);
  };
  visit('schemas', schemas);
  for (const { name, operation } of described) visit(name, operation.parameters ?? []);
  expect(examples.length).toBeGreaterThan(40);
  for (const { what, schema } of examples) {
    const check = compile(schema);
    expect(check(schema.example), `${what}: ${ajv.errorsText(check.errors)}`).toBe(true);
  }
});

test('no field has a default, which generators make required', () => {
  expect(JSON.stringify(schemas)).not.toContain('"default":');
});

test('the example of a file name fits the default format', () => {
  expect(schemas.OutputOptions).toMatchObject({
    properties: { filename: { example: expect.stringMatching(/\.docx$/) } },
  });
});

test('optional fields of JSON requests allow null, required ones do not', () => {
  const validate = compile({ $ref: '#/components/schemas/GenerateRequest' });
  const email = { to: ['ada@example.com'], cc: null, bcc: null, subject: null, body: null };
  expect(validate({ data: {}, output: null, callbackUrl: null })).toBe(true);
  expect(validate({ data: {}, output: { format: null, filename: null, pdf: null, email: null } })).toBe(true);
  expect(validate({ data: {}, output: { email } })).toBe(true);
  expect(validate({ data: null })).toBe(false);
  expect(validate({ data: {}, output: { email: { to: null } } })).toBe(false);
});
