import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const stack = inject('stack');
const { clientOf, operator } = await useService(stack);

test('a template pinned to a version of LibreOffice shows it, also under the older name of the field', async () => {
  const { apiKey } = await operator.createAccount();
  const client = clientOf(apiKey);
  const { id } = await client.template('a.docx', buildDocx({ body: paragraph('{name}') }));
  const shown = async () => (await client.call('GET', `/v1/templates/${id}`)).json();
  expect(await shown()).not.toHaveProperty('officeVersion');
  const made = await client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } });
  const job = await client.call('GET', `/v1/jobs/${made.headers.get('Document-Id')}`);
  const officeVersion = job.json<{ engine: { version: string } }>().engine.version.split('.').slice(0, 2).join('.');
  await operator.run('pin-template', { template: id, engine: officeVersion });
  expect(await shown()).toMatchObject({ officeVersion, engine: officeVersion });
});

test('the built program prints its text and returns its exit code', async () => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const failed = promisify(execFile)(process.execPath, ['dist/admin/main.js', 'set-budget', '--json'], { env });
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^.*--key is missing.*\n$/),
  });
});
