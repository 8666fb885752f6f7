import { exampleUpload } from '../../src/api/documentation/code-samples.ts';
import { contentsOf, type DocumentNode, type OpenApiDocument } from '../../src/api/documentation/walk.ts';
import { isObject } from '../../src/shared/json.ts';

/** A header or a query parameter. Optional ones are listed, but not sent. */
export interface RequestField {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  readonly isSent: boolean;
}

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly FormField[] };

export interface FormField {
  readonly name: string;
  readonly value: string;
  /** True if the value is a file name. */
  readonly isFile: boolean;
}

/** A value of the response that later requests use. */
export interface SavedValue {
  readonly variable: string;
  /** The name of the response header, or undefined for the `id` in the body. */
  readonly header: string | undefined;
}

/** A request with the OpenAPI document's example, in which ids are variables such as `{{templateId}}`. */
export interface CollectionRequest {
  readonly title: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly RequestField[];
  readonly headers: readonly RequestField[];
  readonly body: RequestBody;
  readonly saves: readonly SavedValue[];
}

export interface RequestFolder {
  readonly title: string;
  readonly description: string;
  readonly requests: readonly CollectionRequest[];
}

/** The names of variables that hold ids, by id prefix. */
export const idVariables: Readonly<Record<string, string>> = {
  tpl: 'templateId',
  doc: 'jobId',
  bat: 'batchId',
  dlv: 'deliveryId',
  whk: 'webhookId',
  whd: 'webhookDeliveryId',
  ast: 'assetId',
  fnt: 'fontId',
};

/** Headers that every request may have, and that clients add themselves. */
const commonHeaders = new Set(['X-Request-Id', 'traceparent']);
const savedHeaders: Readonly<Record<string, string>> = {
  'Document-Id': 'jobId',
  'Email-Delivery-Id': 'deliveryId',
};
const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** An OpenAPI document's requests in folders, one per tag, in the order of the API reference. */
export function readRequests({ tags = [], paths = {} }: OpenApiDocument): readonly RequestFolder[] {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]: [string, unknown]) =>
      methods.has(method) && isObject(operation)
        ? [{ tag: list(operation.tags)[0], request: toRequest(method, path, operation) }]
        : [],
    ),
  );
  return tags.map(({ name, description = '' }) => ({
    title: name,
    description,
    requests: found.filter(({ tag }) => tag === name).map(({ request }) => request),
  }));
}

function toRequest(method: string, path: string, operation: DocumentNode): CollectionRequest {
  const parameters = list(operation.parameters).filter(isObject);
  const fields = (place: string): readonly RequestField[] =>
    parameters
      .filter((parameter) => parameter.in === place && !commonHeaders.has(String(parameter.name)))
      .map((parameter) => ({
        name: String(parameter.name),
        value: parameter.name === 'Idempotency-Key' ? '{{$guid}}' : exampleOf(parameter),
        description: String(parameter.description ?? ''),
        isSent: parameter.required === true,
      }));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${String(parameter.name)}}`, exampleOf(parameter)), path);
  return {
    title: String(operation.summary),
    description: String(operation.description ?? ''),
    method: method.toUpperCase(),
    path: filled,
    query: fields('query'),
    headers: fields('header'),
    body: bodyOf(operation),
    saves: savesOf(method, filled, operation),
  };
}

function exampleOf({ example, schema }: DocumentNode): string {
  const described = isObject(schema) ? schema : {};
  return withVariables(String(example ?? described.example ?? described.default ?? list(described.enum)[0] ?? ''));
}

function bodyOf({ operationId, requestBody }: DocumentNode): RequestBody {
  const bodies = new Map(contentsOf(requestBody));
  const json = bodies.get('application/json')?.example;
  if (json !== undefined) return { kind: 'json', text: withVariables(JSON.stringify(json, null, 2)) };
  const form = bodies.get('multipart/form-data')?.example;
  if (!isObject(form)) return { kind: 'none' };
  const upload = exampleUpload(String(operationId));
  const fields = Object.entries(form).map(([name, value]) => {
    const isFile = name === 'file';
    return { name, value: isFile ? upload : String(value), isFile };
  });
  return { kind: 'form', fields };
}

/** What later requests use: the id of the resource that a POST creates, and the ids in its response headers. */
function savesOf(method: string, path: string, { responses }: DocumentNode): readonly SavedValue[] {
  const saved = new Map<string, SavedValue>();
  for (const [status, response] of Object.entries(isObject(responses) ? responses : {})) {
    if (method !== 'post' || !status.startsWith('2') || !isObject(response)) continue;
    for (const header of Object.keys(isObject(response.headers) ? response.headers : {})) {
      const variable = savedHeaders[header];
      if (variable !== undefined) saved.set(variable, { variable, header });
    }
    for (const [, { example }] of contentsOf(response)) {
      const id = isObject(example) && typeof example.id === 'string' ? example.id : '';
      const variable = idVariables[id.slice(0, 3)];
      if (variable === undefined || saved.has(variable) || path.includes(`{{${variable}}}`)) continue;
      saved.set(variable, { variable, header: undefined });
    }
  }
  return [...saved.values()];
}

/** Replaces the examples' ids by variables. */
function withVariables(text: string): string {
  return text.replace(/\b([a-z]{3})_01hx5s3k2v9m8q7r6t5w4y3z2a\b/g, (id, prefix: string) => {
    const variable = idVariables[prefix];
    return variable === undefined ? id : `{{${variable}}}`;
  });
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
