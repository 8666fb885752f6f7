import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Docmill } from '@docmill/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeployedTemplates } from '../../../../../clients/cli/src/test/deployed-templates.ts';

const [newer, older] = ['tpl_01hx5s3k2v9m8q7r6t5w4y3z2b', 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a'];
const name = 'certificate.docx';
let received = '';
const server = createServer((request, response) => {
  const { url = '', method } = request;
  if (method === 'POST') {
    request.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    request.on('end', () => response.setHeader('Content-Type', 'application/json').end('{"warnings":[]}'));
    return;
  }
  const asked = new URL(url, 'http://localhost').searchParams.get('name');
  const found = asked === name ? [newer, older].map((id) => ({ id, name })) : [];
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

const entry = (id: string) => ({ id, name, version: 1, checksum: '0'.repeat(64) });

test('a file is the template of its lock file; of a name, the newest', async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lock = new Map([
    ['certificate-2.docx', entry(older)],
    ['certificate-3.docx', entry('tpl_01hx5s3k2v9m8q7r6t5w4y3z2c')],
  ]);
  const deployed = createDeployedTemplates(new Docmill({ baseUrl, apiKey: 'k' }), lock, new AbortController().signal);
  expect(await deployed.findId('certificate-2.docx')).toBe(older);
  expect(await deployed.findId(name)).toBe(newer);
  // Its template was deleted, and there are others of the name.
  expect(await deployed.findId('certificate-3.docx')).toBe(newer);
  expect(await deployed.findId('letter.docx')).toBeUndefined();
});

test('the delimiters of the project go with the file', async () => {
  const docmill = new Docmill({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'k' });
  const deployed = createDeployedTemplates(docmill, new Map(), new AbortController().signal, '{{ }}');
  expect(await deployed.schemaBreaks(newer, new Uint8Array(3))).toEqual([]);
  expect(received).toMatch(/name="delimiters"\r\n\r\n\{\{ \}\}/);
});
