import { expect, test } from 'vitest';
import { expectProblem, uploadForm } from '../../../../support/client/api-client.ts';
import { admitted, startApplication } from '../../application.ts';

const { client } = await startApplication();
const template = `tpl_${'0'.repeat(26)}`;
const body = () => uploadForm('a.docx', Buffer.from('PK'));

test.each([
  ['POST', '/v1/templates', 'Idempotency-Key'],
  ['PUT', '/v1/templates', 'If-Match'],
  ['PUT', `/v1/templates/${template}/content`, 'If-Match'],
])('%s %s: section 7 of the contract holds for a wrong header, too', async (method, path, name) => {
  const answer = await client.call(method, path, { body: body(), headers: { [name]: 'é' } });
  const { details = [] } = expectProblem(answer, 400);
  expect(details).toStrictEqual([{ type: 'Message', message: expect.stringMatching(`^${name}: must `) as string }]);
});

test('the parameter strictSchema of an upload by name', async () => {
  const put = (query: string) => client.call('PUT', `/v1/templates?${query}`, { body: body() });
  expectProblem(await put('strictSchema=yes'), 400, /^strictSchema: must be true or false$/);
  expect((await put('strictSchema=true')).status).toBe(admitted);
});
