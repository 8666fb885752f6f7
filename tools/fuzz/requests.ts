import { gzipSync } from 'node:zlib';
import type { Files } from './files.ts';
import type { Random } from './random.ts';
import type { Resources } from './resources.ts';
import type { Schema, ValueMaker } from './values.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly bodies: Readonly<Record<string, Schema>>;
}

export type Body =
  | { readonly type: 'json'; readonly value: unknown; readonly isCompressed?: boolean }
  | { readonly type: 'form'; readonly fields: Readonly<Record<string, string>> }
  | { readonly type: 'raw'; readonly contentType: string; readonly text: string };

export interface FuzzRequest {
  readonly operation: Operation;
  readonly pathValues: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
  /** True if the path contains another account's id, so that the response must not be a success. */
  readonly isForeign: boolean;
}

interface Makers {
  readonly random: Random;
  readonly values: ValueMaker;
  readonly resources: Resources;
}

const fileNames = ['template', 'picture', 'text', 'empty'] as const;

/** A request for the operation, either valid or with one part changed. */
export function makeRequest(operation: Operation, makers: Makers): FuzzRequest {
  const { random, values, resources } = makers;
  const isMutated = random.chance(0.5);
  const part = isMutated ? random.pick(['path', 'query', 'headers', 'body', 'body', 'body'] as const) : undefined;
  const wantsForeign = part === 'path' && random.chance(0.4);
  let isForeign = false;
  const pathValues: Record<string, string> = {};
  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'path') {
      const foreign = wantsForeign ? resources.pick(schema, true) : undefined;
      isForeign ||= foreign !== undefined;
      pathValues[name] = foreign ?? resources.pick(schema, false) ?? String(values.valid(schema));
      if (part === 'path' && foreign === undefined) pathValues[name] = String(values.mutated(pathValues[name]));
    } else if (required === true || random.chance(0.25)) {
      const valid = String(resources.pick(schema, false) ?? values.valid(schema));
      const isChanged = part === (place === 'query' ? 'query' : 'headers') && random.chance(0.6);
      const value = isChanged ? String(values.mutated(valid)) : valid;
      if (place === 'query') query.push([name, value]);
      else headers[name] = value;
    }
  }
  if (part === 'query' && random.chance(0.3))
    query.push(random.pick([['unknown', '1'] as const, query[0] ?? ['x', '']]) as [string, string]);
  const body = makeBody(operation, part === 'body', makers);
  return { operation, pathValues, query, headers, body, isForeign };
}

function makeBody({ bodies }: Operation, isMutated: boolean, { random, values }: Makers): Body | undefined {
  const [first, ...others] = Object.entries(bodies);
  if (first === undefined) return undefined;
  const [contentType, schema] = random.pick([first, first, first, ...others]);
  if (isMutated && random.chance(0.1)) return undefined;
  if (isMutated && random.chance(0.1)) {
    return {
      type: 'raw',
      contentType: random.pick([contentType, 'text/plain', 'application/json; charset=x']),
      text: random.pick(['{', '', '[]', '{"data":', '\ufeff{}', '--x\r\n']),
    };
  }
  if (contentType === 'application/json') {
    const value = values.valid(schema);
    return { type: 'json', value: isMutated ? values.mutated(value) : value, isCompressed: random.chance(0.05) };
  }
  if (contentType === 'multipart/form-data')
    return { type: 'form', fields: makeForm(values.valid(schema), isMutated, random, values) };
  const text = contentType === 'text/csv' ? 'name,items[0].name\nAda,Pen\n' : '{"name":"Ada"}\n{"name":"Alan"}\n';
  return { type: 'raw', contentType, text: isMutated ? String(values.mutated(text)) : text };
}

/** Fields of a form; a file field holds the name of one of the files. */
function makeForm(value: unknown, isMutated: boolean, random: Random, values: ValueMaker): Record<string, string> {
  const changed = isMutated ? values.mutated(value) : value;
  const fields: Record<string, string> = {};
  for (const [name, field] of Object.entries(typeof changed === 'object' && changed !== null ? changed : {})) {
    fields[name] = String(field);
  }
  const form = typeof value === 'object' && value !== null ? value : {};
  if ('file' in form && fields.file !== undefined)
    fields.file = isMutated
      ? random.pick(fileNames)
      : 'name' in form && /\.png$/.test(String(form.name))
        ? 'picture'
        : 'template';
  return fields;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

const timeoutMs = 90_000;

/** Sends a request; undefined if this client cannot express it, for example because a header has a line break. */
export async function send(
  url: string,
  apiKey: string,
  request: FuzzRequest,
  files: Files,
): Promise<Answer | undefined> {
  let prepared: Request;
  try {
    prepared = prepare(url, apiKey, request, files);
  } catch {
    return undefined;
  }
  const response = await fetch(prepared, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  if (isStream) await response.body?.cancel();
  const bytes = isStream ? Buffer.alloc(0) : Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** The path and query of a request. */
export function addressOf({ operation, pathValues, query }: FuzzRequest): string {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent((pathValues[name] ?? '').toWellFormed()) || '%20',
  );
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

function prepare(url: string, apiKey: string, request: FuzzRequest, files: Files): Request {
  const headers = new Headers(request.headers);
  headers.set('Authorization', `Bearer ${apiKey}`);
  const { body, operation } = request;
  const init = { method: operation.method.toUpperCase(), headers };
  const address = url + addressOf(request);
  if (body === undefined) return new Request(address, init);
  if (body.type === 'form') {
    const form = new FormData();
    for (const [name, value] of Object.entries(body.fields)) {
      if (name === 'file') form.append(name, new Blob([new Uint8Array(files[value] ?? files.text)]), 'file.docx');
      else form.append(name, value.toWellFormed());
    }
    return new Request(address, { ...init, body: form });
  }
  if (body.type === 'raw') {
    headers.set('Content-Type', body.contentType);
    return new Request(address, { ...init, body: body.text });
  }
  headers.set('Content-Type', 'application/json');
  const text = JSON.stringify(body.value) ?? '';
  if (body.isCompressed !== true) return new Request(address, { ...init, body: text });
  headers.set('Content-Encoding', 'gzip');
  return new Request(address, { ...init, body: new Uint8Array(gzipSync(text)) });
}
