import { Docmill } from '@docmill/client';
import { afterAll, expect, test } from 'vitest';
import { createDeployedTemplates } from '../../../../../clients/cli/src/test/deployed-templates.ts';
import { startWebhookReceiver } from '../../../../support/faults/webhook-receiver.ts';

const [newer, older] = ['tpl_01hx5s3k2v9m8q7r6t5w4y3z2b', 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a'];
const name = 'certificate.docx';
/** A service that lists two templates with this name, and accepts every template. */
const service = await startWebhookReceiver({
  answer({ method, path }, response) {
    const hasName = new URL(path, 'http://localhost').searchParams.get('name') === name;
    const found = hasName ? [newer, older].map((id) => ({ id, name })) : [];
    response.end(JSON.stringify(method === 'POST' ? { warnings: [] } : found));
  },
});
afterAll(() => service.close());
const docmill = new Docmill({ baseUrl: service.url, apiKey: 'k' });
const { signal } = new AbortController();

const entry = (id: string) => ({ id, name, version: 1, checksum: '0'.repeat(64) });

test('a file belongs to the template in its lock file, otherwise to the newest template of its name', async () => {
  const lock = new Map([
    ['certificate-2.docx', entry(older)],
    ['certificate-3.docx', entry('tpl_01hx5s3k2v9m8q7r6t5w4y3z2c')],
  ]);
  const deployed = createDeployedTemplates(docmill, lock, signal);
  expect(await deployed.findId('certificate-2.docx')).toBe(older);
  expect(await deployed.findId(name)).toBe(newer);
  // The file's template was deleted, and other templates have the same name.
  expect(await deployed.findId('certificate-3.docx')).toBe(newer);
  expect(await deployed.findId('letter.docx')).toBeUndefined();
});

test("the project's delimiters are sent with the file", async () => {
  const deployed = createDeployedTemplates(docmill, new Map(), signal, '{{ }}');
  expect(await deployed.schemaBreaks(newer, new Uint8Array(3))).toEqual([]);
  expect(service.received.at(-1)?.body).toMatch(/name="delimiters"\r\n\r\n\{\{ \}\}/);
});
