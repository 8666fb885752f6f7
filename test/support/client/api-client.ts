import { expect } from 'vitest';
import { type ContractCheck, createContractCheck, type OpenApi } from './api-contract.ts';

export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const pdfType = 'application/pdf';

export interface TemplateMetadata {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly size: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Only in responses to uploads and re-uploads. */
  readonly warnings?: readonly unknown[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  json<T = unknown>(): T;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
  /** Sent as `application/json`. */
  readonly json?: unknown;
}

/** Checks every response against the service's OpenAPI document and every error against the contract's error body. */
export interface ApiClient {
  readonly url: string;
  readonly apiKey: string | undefined;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  upload(name: string, file: Uint8Array, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Uploads and expects success. */
  template(name: string, file: Uint8Array): Promise<TemplateMetadata>;
  reupload(id: string, name: string, file: Uint8Array): Promise<Answer>;
  generate(id: string, request: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Starts a document whose file is fetched later. */
  start(id: string, request: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** The path and query of the next page of a list, or undefined on the last one. */
export function nextOf({ headers }: Pick<Answer, 'headers'>): string | undefined {
  const link = /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
  return link === undefined ? undefined : link.slice(new URL(link).origin.length);
}

const contracts = new Map<string, Promise<ContractCheck>>();

/** Test files share their process, so the OpenAPI document of a stack is read and compiled once for all of them. */
export function loadContract(url: string): Promise<ContractCheck> {
  const load = async () => createContractCheck((await (await fetch(`${url}/openapi.json`)).json()) as OpenApi);
  const contract = contracts.get(url) ?? load();
  contracts.set(url, contract);
  return contract;
}

export function createApiClient(url: string, check: ContractCheck, apiKey?: string): ApiClient {
  const call: ApiClient['call'] = async (method, path, options = {}) => {
    const isJson = options.json !== undefined;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(isJson && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      body: isJson ? JSON.stringify(options.json) : (options.body ?? null),
      duplex: 'half',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer = { status: response.status, headers: response.headers, bytes, json: <T>() => parse<T>(bytes) };
    expect(check(method, path, answer)).toBeUndefined();
    if (response.status >= 400 && method !== 'HEAD') expectProblemShape(answer);
    return answer;
  };
  const upload: ApiClient['upload'] = (name, file, headers = {}) =>
    call('POST', '/v1/templates', { body: uploadForm(name, file), headers });
  return {
    url,
    apiKey,
    call,
    upload,
    async template(name, file) {
      const answer = await upload(name, file);
      expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(201);
      return answer.json<TemplateMetadata>();
    },
    reupload: (id, name, file) => call('PUT', `/v1/templates/${id}/content`, { body: uploadForm(name, file) }),
    generate: (id, request, headers = {}) => call('POST', `/v1/templates/${id}/generate`, { json: request, headers }),
    start: (id, request, headers = {}) => call('POST', `/v1/templates/${id}/jobs`, { json: request, headers }),
  };
}

export function uploadForm(name: string, file: Uint8Array): FormData {
  const form = new FormData();
  form.append('name', name);
  form.append('file', new Blob([new Uint8Array(file)], { type: docxType }), 'local name.docx');
  return form;
}

export interface ProblemDetail {
  readonly type: 'Message' | 'Field';
  readonly message: string;
  readonly path?: string;
  readonly tag?: string;
  readonly part?: string;
  readonly context?: string;
}

export interface Problem {
  readonly error: { readonly status: number; readonly message: string; readonly details?: readonly ProblemDetail[] };
}

/** Section 7 of the contract: no other fields, and the status is repeated. */
export function expectProblemShape(answer: Pick<Answer, 'status' | 'headers' | 'json'>): Problem['error'] {
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  const body = answer.json<Problem>();
  expect(Object.keys(body)).toEqual(['error']);
  const { status, message, details } = body.error;
  expect(Object.keys(body.error)).toEqual(
    details === undefined ? ['status', 'message'] : ['status', 'message', 'details'],
  );
  expect(status).toBe(answer.status);
  expect(message).toMatch(/\S/);
  expect(message).not.toMatch(/node_modules|\/src\/|\.ts:\d|\n\s+at /);
  if (details !== undefined) {
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) {
      expect(['Message', 'Field', 'Rule', 'Difference']).toContain(detail.type);
      expect(detail.message).toMatch(/\S/);
      expect(typeof detail.path).toBe(detail.type === 'Field' ? 'string' : 'undefined');
    }
  }
  return body.error;
}

export function expectProblem(answer: Answer, status: number, message?: string | RegExp): Problem['error'] {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(status);
  const error = expectProblemShape(answer);
  if (message !== undefined) expect(error.message).toMatch(message);
  return error;
}

function parse<T>(bytes: Buffer): T {
  return JSON.parse(bytes.toString('utf8')) as T;
}
