import { beforeAll, expect, inject, test } from 'vitest';
import { uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, runCli } from './run-cli.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = useFolder();
const path = folder.at('docmill.d.ts');
const written = () => folder.text('docmill.d.ts');
const docx = (text: string) => buildDocx({ body: paragraph(text) });
let client: TestClient;
let id: string;

/** Runs `docmill types` with these arguments and the file of the test. */
const types = (line = '') => {
  const env = cliEnv(folder.path, { url: stack.url, apiKey: client.apiKey });
  return runCli(['types', ...line.split(' ').filter(Boolean), '--output', path], { env });
};

beforeAll(async () => {
  client = await newClient();
  id = (await client.template('letter.docx', docx('Dear {name}, {#items}{price | number:2}{/}'))).id;
  await client.template('offer.docx', docx('{total | number}'));
});

test('one file has the types of all templates, by id and by name', async () => {
  expect(await types('--check'), 'there is no file yet').toMatchObject({ exitCode: 1 });
  const { exitCode, stdout, stderr } = await types();
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: `${path}\n` });
  const item = '{\n    price?: number | undefined;\n  }';
  expect(written()).toContain(
    `export interface Letter {\n  items?: readonly ${item}[] | ${item} | boolean | undefined;\n  name: string;\n}\n`,
  );
  expect(written()).toContain(`  "${id}": Letter;\n  "letter.docx": Letter;\n`);
  expect(written()).toContain('export interface Offer {\n  total: number;\n}');
  expect(await types('--check')).toMatchObject({ exitCode: 0 });
});

test('what the author of a template states is in its type', async () => {
  const form = uploadForm('stated.docx', docx('{born} {member}'));
  const properties = { born: { type: 'string', format: 'date' }, member: { enum: ['gold', 'silver'] } };
  form.append('schema', JSON.stringify({ properties, required: ['born'] }));
  expect((await client.call('PUT', '/v1/templates', { body: form })).status).toBe(201);
  expect(await types('stated')).toMatchObject({ exitCode: 0 });
  expect(written()).toMatch(/export interface Stated \{[^}]*member\??: "gold" \| "silver"/);
});

test('only the named template gets a type, and the result is JSON on request', async () => {
  const { exitCode, stdout } = await types(`letter ${id} --json`);
  expect(exitCode).toBe(0);
  const templates = [{ id, name: 'letter.docx', type: 'Letter' }];
  expect(JSON.parse(stdout)).toEqual({ file: path, hasChanged: true, templates });
  expect(written()).not.toContain('Offer');
});

test('a new version with other fields makes the file stale, and one with the same fields does not', async () => {
  await types();
  await client.reupload(id, 'letter.docx', docx('Hello {name}! {#items}{price | number:2}{/}'));
  expect(await types('--check')).toMatchObject({ exitCode: 0 });
  await client.reupload(id, 'letter.docx', docx('Hello {first} {name}'));
  const before = written();
  expect(await types('--check')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not up to date') });
  expect(written()).toBe(before);
});

test('templates that share a name have types by id only', async () => {
  await client.template('offer.docx', docx('{other}'));
  const { exitCode, stderr } = await types();
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Several templates have the name offer.docx');
  expect(written()).toContain('export interface Offer2 {');
  expect(written()).not.toContain('"offer.docx"');
});

test('a file of another kind is kept, and a missing template is reported', async () => {
  folder.write('docmill.d.ts', 'export {};\n');
  expect(await types()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Use --force') });
  expect(written()).toBe('export {};\n');
  expect(await types('missing --force')).toMatchObject({ exitCode: 4 });
  expect(written()).toBe('export {};\n');
  expect(await types('letter --force')).toMatchObject({ exitCode: 0 });
});
