import createClient from 'openapi-fetch';
import type { Call, OperationInfo, Service } from './call.ts';
import type { components, paths } from './generated/openapi-typescript/schema.ts';

type Request = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The client of `openapi-typescript` with `openapi-fetch`. */
export function openapiTypescript({ url, apiKey }: Service, operations: ReadonlyMap<string, OperationInfo>): Call {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${apiKey}` } });
  return async (operationId, { path = {}, query = {}, headers = {}, body } = {}) => {
    const { method = '', path: address = '', requestBody } = operations.get(operationId) ?? {};
    const types = Object.keys(requestBody?.content ?? {});
    const isForm = types.includes('multipart/form-data') && !types.includes('application/json');
    const { data, error, response } = await (client.request as unknown as Request)(method, address, {
      params: { path, query, header: headers },
      ...(body !== undefined && { body }),
      ...(isForm && { bodySerializer: toForm }),
      parseAs: /Content$|^download|Thumbnail$|^(generateDocument|previewTemplate)$|^streamBatchEvents$/.test(
        operationId,
      )
        ? 'blob'
        : 'json',
    });
    const isJob = data instanceof Blob && data.type.startsWith('application/json');
    return { status: response.status, data: isJob ? JSON.parse(await data.text()) : (data ?? error) };
  };
}

function toForm(body: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, value);
  return form;
}

/** Types: what a program writes compiles. */
export async function typedUse({ url, apiKey }: Service): Promise<string> {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${apiKey}` } });
  // The types of files are strings: the serializer makes a form of the real ones.
  const upload: components['schemas']['TemplateUpload'] = { name: 'a.docx', file: 'the bytes' };
  const template = await client.POST('/v1/templates', { body: upload, bodySerializer: (body) => toForm({ ...body }) });
  const id = template.data?.id ?? '';
  await client.POST('/v1/templates/{id}/generate', {
    params: { path: { id } },
    body: { data: { name: 'Ada' } },
    parseAs: 'blob',
  });
  const body = {
    data: {},
    output: { format: 'pdf' as const, locale: null, email: { to: ['a@example.com'], cc: null } },
  };
  const file = await client.POST('/v1/templates/{id}/generate', { params: { path: { id } }, body, parseAs: 'blob' });
  return file.error?.error.message ?? 'a file';
}
