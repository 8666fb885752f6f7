import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { adminOperations, operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';

type Json = Readonly<Record<string, unknown>>;
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string; readonly schema: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

const document = createOpenApiDocument(operations, undefined, adminOperations);
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

/** The document's schemas refer to its components. */
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

test('every JSON body and every form has a named schema', () => {
  for (const { what, content } of contents) {
    if (/[/]json$|form-data$/.test(what)) expect(content.schema, what).toHaveProperty('$ref');
  }
});

test('every request and response has an example that fits its schema', () => {
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

test('no field has a default, because generators would make the field required', () => {
  expect(JSON.stringify(schemas)).not.toContain('"default":');
});

test('the example file name fits the default format', () => {
  expect(schemas.OutputOptions).toMatchObject({
    properties: { filename: { example: expect.stringMatching(/\.docx$/) } },
  });
});

interface Nested {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Nested>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Nested[];
  readonly items?: Nested;
}

test('optional fields of JSON requests accept null, and required ones do not', () => {
  const validate = compile({ $ref: '#/components/schemas/GenerateRequest' });
  expect(validate({ data: null })).toBe(false);
  expect(validate({ data: {}, output: { email: { to: null } } })).toBe(false);
  const refused: string[] = [];
  const visit = (schema: Nested, path: string): void => {
    const own = schema.$ref === undefined ? schema : ((schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Nested);
    for (const [name, property] of Object.entries(own.properties ?? {})) {
      if (name === 'data') continue;
      const isNullable =
        property.type?.includes('null') === true || property.anyOf?.some(({ type }) => type === 'null');
      if (own.required?.includes(name) !== true && isNullable !== true) refused.push(`${path}.${name}`);
      visit(property, `${path}.${name}`);
    }
    for (const each of [...(own.anyOf ?? []), ...(own.items === undefined ? [] : [own.items])]) visit(each, path);
  };
  for (const { name, operation } of described) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema !== undefined) visit(schema as Nested, name);
  }
  expect(refused).toEqual([]);
});

test('the document is valid OpenAPI 3.1, and each operation has a unique id', async () => {
  const { errors, valid } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect([errors, valid]).toEqual([undefined, true]);
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Docmill' } });
  expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(described.length);
});

test('every error response has the error body', () => {
  for (const { name, operation } of described) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const schema = { $ref: '#/components/schemas/Error' };
      if (Number(status) >= 400)
        expect(response.content, name).toEqual({ 'application/json': { schema, example: expect.anything() } });
    }
  }
});

/** Section 4 of the contract: each operation with its statuses. */
test.each<[operation: string, statuses: readonly number[]]>([
  ['get /v1/templates', [200, 400]],
  ['post /v1/templates', [201, 400, 402, 409]],
  ['get /v1/templates/{id}', [200, 404]],
  ['put /v1/templates/{id}', [200, 400, 404]],
  ['delete /v1/templates/{id}', [204, 404]],
  ['get /v1/templates/{id}/content', [200, 404]],
  ['put /v1/templates/{id}/content', [200, 400, 404]],
  ['post /v1/templates/{id}/generate', [200, 400, 402, 404, 409, 504]],
  ['post /v1/templates/validate', [200, 400]],
  ['get /v1/assets', [200, 400]],
  ['post /v1/assets', [200, 201, 400, 402, 409]],
  ['get /v1/assets/{id}', [200, 404]],
  ['get /v1/assets/{id}/content', [200, 404]],
  ['delete /v1/assets/{id}', [204, 404]],
  ['get /v1/account/quotas', [200]],
  ['get /v1/account/key', [200]],
  ['get /v1/account/keys', [200, 400]],
  ['get /v1/deliveries', [200, 400]],
  ['get /v1/deliveries/{id}', [200, 404]],
  ['post /v1/deliveries', [202, 400, 404, 409]],
  ['post /v1/deliveries/{id}/resend', [202, 400, 404, 409]],
])('%s is documented with each of its statuses and requires a key', (name, statuses) => {
  const operation = described.find((each) => each.name === name)?.operation;
  expect(operation?.security).toEqual([{ apiKey: [] }]);
  const all = Object.keys(operation?.responses ?? {}).map(Number);
  expect(all).toEqual(expect.arrayContaining([...statuses, 401, 429, 500, 503]));
});

test('each operation names the scope that a key needs', () => {
  const named = described.map(({ operation }) => [operation.operationId, operation['x-scope']]);
  expect(named).toEqual(
    described.map(({ operation }) => {
      const { scope } =
        [...operations, ...adminOperations].find(({ route }) => route.operationId === operation.operationId) ?? {};
      return [operation.operationId, scope ?? undefined];
    }),
  );
});
