import { expect } from 'vitest';
import type { Answer, CallOptions } from '../../support/client/api-client.ts';
import type { TestClient } from '../../support/client/service-under-test.ts';
import { formOf, type Part } from '../api/form-bodies.ts';

/** Method, path and a valid body of an operation of the contract. */
export type Operation = readonly [name: string, method: string, path: string, options: CallOptions];

/** The operations of section 4, for a template with this id. */
export function operationsOf(id: string, file: Uint8Array): readonly Operation[] {
  const upload = {
    body: formOf([
      ['name', 'letter.docx'],
      ['file', file, 'letter.docx'],
    ]),
  };
  return [
    ['List Templates', 'GET', '/v1/templates', {}],
    ['Get Template', 'GET', `/v1/templates/${id}`, {}],
    ['Download Template', 'GET', `/v1/templates/${id}/content`, {}],
    ['Upload Template', 'POST', '/v1/templates', upload],
    ['Update Template Metadata', 'PUT', `/v1/templates/${id}`, { json: { name: 'renamed.docx' } }],
    ['Re-Upload Template', 'PUT', `/v1/templates/${id}/content`, upload],
    ['Generate Document', 'POST', `/v1/templates/${id}/generate`, { json: { data: {} } }],
    ['Get Quotas', 'GET', '/v1/account/quotas', {}],
    ['Delete Template', 'DELETE', `/v1/templates/${id}`, {}],
  ];
}

/** Upload and re-upload with the same parts. */
export function uploadBoth(client: TestClient, id: string, parts: readonly Part[]): Promise<readonly Answer[]> {
  return Promise.all([
    client.call('POST', '/v1/templates', { body: formOf(parts) }),
    client.call('PUT', `/v1/templates/${id}/content`, { body: formOf(parts) }),
  ]);
}

export function expectSuccess(answer: Answer): Answer {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBeLessThan(300);
  return answer;
}
