import type { OpenApiDocument } from '../../src/api/documentation/walk.ts';
import { type CollectionRequest, idVariables, type RequestField, readRequests } from './read-requests.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** An OpenAPI document's requests as a Postman collection (format 2.1). The API key is an empty variable. */
export function writePostmanCollection(document: OpenApiDocument): string {
  const collection = {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000', type: 'string', description: 'The address of the service.' },
      { key: 'apiKey', value: '', type: 'secret', description: 'Set it in an environment instead of in this file.' },
      ...Object.values(idVariables).map((key) => ({ key, value: '', type: 'string' })),
    ],
    item: readRequests(document).map(({ title, description, requests }) => ({
      name: title,
      description,
      item: requests.map(toItem),
    })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function toItem(request: CollectionRequest): object {
  const { title, description, method, path, query, headers } = request;
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return {
    name: title,
    ...toEvent(request),
    request: {
      method,
      description,
      header: headers.map(toField),
      ...toBody(request),
      url: {
        raw: `{{baseUrl}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        ...(query.length === 0 ? {} : { query: query.map(toField) }),
      },
    },
    response: [],
  };
}

function toField({ name, value, description, isSent }: RequestField): object {
  return { key: name, value, description, ...(isSent ? {} : { disabled: true }) };
}

function toBody({ body }: CollectionRequest): object {
  if (body.kind === 'none') return {};
  if (body.kind === 'json') return { body: { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } } };
  const formdata = body.fields.map(({ name, value, isFile }) =>
    isFile ? { key: name, type: 'file', src: value } : { key: name, type: 'text', value },
  );
  return { body: { mode: 'formdata', formdata } };
}

function toEvent({ saves }: CollectionRequest): object {
  if (saves.length === 0) return {};
  const exec = saves.map(({ variable, header }) => {
    const value = header === undefined ? 'pm.response.json().id' : `pm.response.headers.get('${header}')`;
    return `if (pm.response.code < 300 && ${value}) pm.collectionVariables.set('${variable}', ${value});`;
  });
  return { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] };
}
