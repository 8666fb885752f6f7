import bruno from '@usebruno/lang';
import type { OpenApiDocument } from '../../src/api/documentation/walk.ts';
import { type CollectionRequest, type RequestField, readRequests, type SavedValue } from './read-requests.ts';

/**
 * An OpenAPI document's requests as a Bruno collection: the contents of its files, by path. The API key is a secret in
 * the environment, which Bruno stores outside the folder.
 */
export function writeBrunoCollection(document: OpenApiDocument): ReadonlyMap<string, string> {
  const { title, description = '' } = document.info;
  const settings = { version: '1', name: title, type: 'collection', ignore: ['node_modules', '.git'] };
  const files = new Map([
    ['bruno.json', `${JSON.stringify(settings, null, 2)}\n`],
    [
      'collection.bru',
      bruno.jsonToCollectionBru({
        auth: { mode: 'bearer', bearer: { token: '{{apiKey}}' } },
        docs: description,
      }),
    ],
    [
      'environments/local.bru',
      bruno.envJsonToBruV2({
        variables: [
          { name: 'baseUrl', value: 'http://localhost:3000', enabled: true, secret: false },
          { name: 'apiKey', value: '', enabled: true, secret: true },
        ],
      }),
    ],
  ]);
  for (const [place, folder] of readRequests(document).entries()) {
    const name = toFileName(folder.title);
    const meta = { name: folder.title, seq: place + 1 };
    files.set(`${name}/folder.bru`, bruno.jsonToCollectionBru({ meta, docs: folder.description }));
    for (const [index, request] of folder.requests.entries())
      files.set(`${name}/${toFileName(request.title)}.bru`, writeRequest(request, index + 1));
  }
  return files;
}

const toFileName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function writeRequest(request: CollectionRequest, seq: number): string {
  const { title, description, method, path, query, headers, body, saves } = request;
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  const url = `{{baseUrl}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`;
  const kind = { none: 'none', json: 'json', form: 'multipartForm' }[body.kind];
  return bruno.jsonToBruV2({
    meta: { name: title, type: 'http', seq },
    http: { method: method.toLowerCase(), url, body: kind, auth: 'inherit' },
    params: query.map((field) => ({ ...toPair(field), type: 'query' })),
    headers: headers.map(toPair),
    body: toBody(request),
    script: { res: saves.map(writeSave).join('\n') },
    docs: description,
  });
}

/** A variable keeps its value if the response does not contain a new one. */
function writeSave({ variable, header }: SavedValue): string {
  const value = header === undefined ? 'res.getBody()?.id' : `res.getHeader('${header.toLowerCase()}')`;
  return `if (res.getStatus() < 300 && ${value}) bru.setVar('${variable}', ${value});`;
}

function toPair({ name, value, isSent }: RequestField): { name: string; value: string; enabled: boolean } {
  return { name, value, enabled: isSent };
}

function toBody({ body }: CollectionRequest): object {
  if (body.kind === 'json') return { json: body.text };
  if (body.kind === 'none') return {};
  return {
    multipartForm: body.fields.map(({ name, value, isFile }) => ({
      name,
      value: isFile ? [value] : value,
      type: isFile ? 'file' : 'text',
      enabled: true,
    })),
  };
}
