import type { Call, OperationInfo, Service } from './call.ts';
import * as api from './generated/orval/client.ts';
import { service } from './orval-fetch.ts';

type Operation = (...values: readonly unknown[]) => Promise<{ status: number; data: unknown }>;

/** The client of `orval`: its functions take path parameters, body, query and options in this order. */
export function orval({ url, apiKey }: Service, operations: ReadonlyMap<string, OperationInfo>): Call {
  Object.assign(service, { url, apiKey });
  const functions = new Map(Object.entries(api));
  return async (operationId, { path = {}, query = {}, headers = {}, body } = {}) => {
    const { path: address = '', parameters = [], requestBody } = operations.get(operationId) ?? {};
    const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    const types = Object.keys(requestBody?.content ?? {});
    const json = types.length > 1 ? { 'Content-Type': 'application/json' } : {};
    const values = [
      ...names.map((name) => path[name]),
      ...(requestBody === undefined ? [] : [body]),
      ...(parameters.some((parameter) => parameter.in === 'query') ? [query] : []),
      { headers: { ...json, ...headers } },
    ];
    return await (functions.get(operationId) as unknown as Operation)(...values);
  };
}

/** Types: what a program writes compiles. */
export async function typedUse(): Promise<string> {
  const template = await api.uploadTemplate({ name: 'a.docx', file: new Blob(['']) });
  if (template.status !== 201) return template.data.error.message;
  const { id } = template.data;
  await api.generateDocument(id, { data: { name: 'Ada' } });
  const body: api.GenerateRequest = {
    data: {},
    output: { format: 'pdf', locale: null, email: { to: ['a@example.com'], cc: null } },
  };
  const file = await api.generateDocument(id, body);
  return file.status === 200 ? 'a file' : 'no file';
}
