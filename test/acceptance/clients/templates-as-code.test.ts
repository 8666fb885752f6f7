import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { type TestFolder, useFolder } from '../../support/folder.ts';
import { startForwarder } from './forwarder.ts';
import { cliEnv, runCli } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const top = useFolder();
let folder: TestFolder;
let client: TestClient;

beforeEach(async () => {
  client = await newClient({ docs: 100, templates: 20 });
  folder = top.below();
});

interface Result {
  readonly file: string;
  readonly id: string;
  readonly action: string;
  readonly version: number | null;
  readonly message?: string;
}

const docx = (text: string) => buildDocx({ body: paragraph(text) });
const cli = (line: string, { path } = folder) => runCli(line, { cwd: path, env: cliEnv(top.path, client) });

/** Runs a command with `--json`, and returns its result with the actions by file. */
async function sync(line: string, place = folder) {
  const { exitCode, stdout, stderr } = await cli(`templates ${line} --json`, place);
  expect(stdout, stderr).not.toBe('');
  const { templates } = JSON.parse(stdout) as { readonly templates: readonly Result[] };
  return { exitCode, templates, actions: Object.fromEntries(templates.map(({ file, action }) => [file, action])) };
}

const listed = async (of = client) => (await of.call('GET', '/v1/templates')).json<{ id: string; name: string }[]>();
const versionsOf = async (id: string) => (await client.call('GET', `/v1/templates/${id}/versions`)).json<unknown[]>();

/** Accounts for staging, which is `client`, and production, as the profiles of `folder`. */
async function useProfiles() {
  const production = await newClient();
  const profileOf = ({ apiKey }: TestClient) => ({ url, apiKey });
  const profiles = { staging: profileOf(client), production: profileOf(production) };
  const config = JSON.stringify({ defaultProfile: 'staging', profiles });
  chmodSync(folder.write('docmill/config.json', config), 0o600);
  return { production, env: { ...cliEnv(folder.path), XDG_CONFIG_HOME: folder.path } };
}

describe('pull and push', () => {
  test('transfer a folder, and only what has changed', async () => {
    const invoice = await client.template('invoice.docx', docx('Invoice {number}'));
    const letter = await client.template('letter.docx', docx('Dear {name}'));
    const plan = await sync('pull --dry-run');
    expect(plan.actions).toEqual({ 'invoice.docx': 'downloaded', 'letter.docx': 'downloaded' });
    expect(folder.list()).toEqual([]);
    expect((await sync('pull')).exitCode).toBe(0);
    expect(folder.list()).toEqual(['docmill.json', 'docmill.lock.json', 'templates']);
    expect(folder.read('templates/invoice.docx')).toEqual(Buffer.from(docx('Invoice {number}')));
    const entryOf = ({ id, name, checksum }: typeof invoice) => [name, { id, name, version: 1, checksum }];
    const templates = Object.fromEntries([invoice, letter].map(entryOf)) as object;
    const lock = { lockVersion: 1, services: { [url]: { templates } } };
    expect(JSON.parse(folder.text('docmill.lock.json'))).toEqual(lock);

    folder.write('templates/letter.docx', docx('Hello {name}'));
    folder.write('templates/new.docx', docx('New {name}'));
    folder.write('templates/~$new.docx', 'Word has it open');
    const changes = { 'invoice.docx': 'unchanged', 'letter.docx': 'uploaded', 'new.docx': 'created' };
    expect((await sync('push --dry-run')).actions).toEqual(changes);
    expect(await versionsOf(letter.id)).toHaveLength(1);
    const pushed = await sync('push');
    expect(pushed).toMatchObject({ actions: changes, templates: [{ version: 1 }, { version: 2 }, { version: 1 }] });
    expect(new Set(Object.values((await sync('push')).actions))).toEqual(new Set(['unchanged']));
    expect(await versionsOf(invoice.id)).toHaveLength(1);
    expect(await versionsOf(letter.id)).toHaveLength(2);
  });

  test('follow the table of the guide; with --force the side of the command wins', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['both', 'deleted', 'equal', 'missing', 'ours', 'same', 'theirs'])
      ids[name] = (await client.template(`${name}.docx`, docx('Dear {name}'))).id;
    await sync('pull');
    const change = async (side: 'here' | 'there', name: string, text: string) => {
      if (side === 'here') folder.write(`templates/${name}.docx`, docx(text));
      else await client.reupload(ids[name] ?? '', `${name}.docx`, docx(text));
    };
    for (const name of ['both', 'ours', 'new']) await change('here', name, 'Ours {name}');
    for (const name of ['both', 'theirs']) await change('there', name, 'Theirs {name}');
    for (const side of ['here', 'there'] as const) await change(side, 'equal', 'Equal {name}');
    rmSync(folder.at('templates/missing.docx'));
    await client.call('DELETE', `/v1/templates/${ids.deleted}`);
    const other = top.below();
    cpSync(folder.path, other.path, { recursive: true });

    const pulled = { both: 'conflict', deleted: 'kept', equal: 'unchanged', missing: 'downloaded' };
    const named = (actions: object) => Object.fromEntries(Object.entries(actions).map(([k, v]) => [`${k}.docx`, v]));
    const others = { ours: 'kept', same: 'unchanged', theirs: 'downloaded' };
    expect(await sync('pull')).toMatchObject({ exitCode: 7, actions: named({ ...pulled, ...others }) });
    expect(folder.read('templates/both.docx')).toEqual(Buffer.from(docx('Ours {name}')));
    expect((await sync('pull both --force')).actions).toEqual({ 'both.docx': 'downloaded' });
    expect(folder.read('templates/both.docx')).toEqual(Buffer.from(docx('Theirs {name}')));

    const pushed = { both: 'conflict', deleted: 'conflict', equal: 'unchanged', missing: 'kept', new: 'created' };
    const { exitCode, actions } = await sync('push', other);
    expect({ exitCode, actions }).toEqual({
      exitCode: 7,
      actions: named({ ...pushed, ours: 'uploaded', same: 'unchanged', theirs: 'conflict' }),
    });
    const { stderr } = await cli('templates push', other);
    expect(stderr).toContain('both.docx: the service has version 2, the lock file 1');
    expect(stderr).toContain('docmill templates diff');
    expect(await versionsOf(ids.both ?? '')).toHaveLength(2);
    const forced = await sync('push both deleted --force', other);
    expect(forced.templates).toMatchObject([
      { action: 'uploaded', version: 3 },
      { action: 'created', version: 1 },
    ]);
  });

  test('recover from a lost lock file, and from a run that died before writing it', async () => {
    await client.template('letter.docx', docx('Dear {name}'));
    await sync('pull');
    rmSync(folder.at('docmill.lock.json'));
    expect((await sync('push')).actions).toEqual({ 'letter.docx': 'unchanged' });
    expect(folder.list()).toContain('docmill.lock.json');
    rmSync(folder.at('docmill.lock.json'));
    folder.write('templates/letter.docx', docx('Another {name}'));
    expect(await sync('push')).toMatchObject({ exitCode: 7, actions: { 'letter.docx': 'conflict' } });
  });

  test('upload the other templates when one is broken', async () => {
    folder.write('docmill.json', '{"templates": "word"}');
    folder.write('word/broken.docx', docx('{#open}'));
    folder.write('word/good.docx', docx('{good}'));
    const pushed = await sync('push');
    expect(pushed).toMatchObject({ exitCode: 1, actions: { 'broken.docx': 'failed', 'good.docx': 'created' } });
    expect(pushed.templates[0]?.message).toContain('{#open}');
    expect(await sync('push --dry-run')).toMatchObject({ exitCode: 1 });
  });

  test('upload new templates that include each other in one run', async () => {
    folder.write('docmill.json', '{}');
    folder.write('templates/a.docx', docx('{include "b"}'));
    folder.write('templates/b.docx', docx('{include "terms.docx"}'));
    folder.write('templates/terms.docx', docx('Dear {name}'));
    const created = { 'a.docx': 'created', 'b.docx': 'created', 'terms.docx': 'created' };
    const planned = await sync('push --dry-run');
    expect(planned).toMatchObject({ exitCode: 0, actions: created });
    const [terms, b] = planned.templates;
    expect([terms?.file, terms?.message]).toEqual(['terms.docx', undefined]);
    expect(b?.message).toBe('it was not checked, because it includes terms.docx, which is pushed first');
    expect(await sync('push')).toMatchObject({ exitCode: 0, actions: created });
  });

  test('use the delimiters of the project, and leave other braces alone', async () => {
    folder.write('docmill.json', '{"delimiters": "<< >>"}');
    folder.write('templates/letter.docx', docx('Dear << name >>, {salutation}'));
    const { templates } = await sync('push');
    const made = await client.generate(templates[0]?.id ?? '', { data: { name: 'Ada' } });
    expect(docxText(made.bytes)).toContain('Dear Ada, {salutation}');
  });

  test('refuse what breaks the data of clients, with its reason, unless --allow-breaking is given', async () => {
    await client.template('letter.docx', docx('Dear {name}'));
    await sync('pull');
    folder.write('templates/letter.docx', docx('Dear {customer}'));
    const message = expect.stringMatching(/--allow-breaking [\s\S]*\n- .*name/);
    for (const line of ['push --dry-run', 'push', 'push --force'])
      expect(await sync(line)).toMatchObject({ exitCode: 1, templates: [{ action: 'failed', message }] });
    expect((await sync('push --allow-breaking')).actions).toEqual({ 'letter.docx': 'uploaded' });
  });

  test('a template that was deleted and created again is the one of its name', async () => {
    const { id } = await client.template('letter.docx', docx('Dear {name}'));
    await sync('pull');
    await client.call('DELETE', `/v1/templates/${id}`);
    const again = await client.template('letter.docx', docx('Hello {name}'));
    folder.write('templates/letter.docx', docx('Good day {name}'));
    expect((await sync('push')).actions).toEqual({ 'letter.docx': 'conflict' });
    expect((await sync('push --force')).templates).toMatchObject([{ id: again.id, action: 'uploaded', version: 2 }]);
    expect(await listed()).toHaveLength(1);
  });
});

describe('the first push of a name', () => {
  /**
   * Pushes a template with each text from a folder of its own. Every first upload is held until all have been sent.
   */
  const pushTogether = async (...texts: readonly string[]) => {
    const held: (() => void)[] = [];
    const hold = (request: string) => {
      if (request !== 'PUT /v1/templates' || held.length === texts.length) return;
      return new Promise<void>((release) => {
        if (held.push(release) === texts.length) for (const open of held) open();
      });
    };
    const forwarder = await startForwarder(url, { request: hold });
    const runs = texts.map((text) => {
      const place = top.below();
      place.write('docmill.json', '{}');
      place.write('templates/letter.docx', docx(text));
      const env = cliEnv(top.path, { url: forwarder.url, apiKey: client.apiKey });
      return runCli(`templates push --folder ${place.path} --json`, { env });
    });
    const pushed = (await Promise.all(runs)).flatMap(
      ({ stdout }) => (JSON.parse(stdout) as { readonly templates: readonly Result[] }).templates,
    );
    await forwarder.close();
    return pushed.sort((a, b) => (a.action < b.action ? -1 : 1));
  };

  test('creates one template when two computers push equal files at the same time', async () => {
    const pushed = await pushTogether('Dear {name}', 'Dear {name}');
    const [{ id = '' } = {}, ...others] = await listed();
    expect(others).toEqual([]);
    const created = { action: 'created', id };
    expect(pushed).toMatchObject([created, created]);
  });

  test('creates one template when their files differ, and the second push is a conflict', async () => {
    const message = expect.stringContaining('run the command again');
    const pushed = await pushTogether('Dear {name}', 'Hello {name}');
    expect(pushed).toMatchObject([{ action: 'conflict', message }, { action: 'created' }]);
    expect(await listed()).toHaveLength(1);
  });

  test('works again after the template was deleted, with the same and with another file', async () => {
    folder.write('docmill.json', '{}');
    for (const text of ['Dear {name}', 'Hello {name}', 'Dear {name}']) {
      folder.write('templates/letter.docx', docx(text));
      expect((await sync('push --force')).actions).toEqual({ 'letter.docx': 'created' });
      const [{ id = '' } = {}, ...others] = await listed();
      expect(others).toEqual([]);
      expect((await client.call('GET', `/v1/templates/${id}/content`)).bytes).toEqual(Buffer.from(docx(text)));
      await client.call('DELETE', `/v1/templates/${id}`);
    }
  });
});

describe('diff', () => {
  test('fits on a screen for templates that have nothing in common', async () => {
    const tagged = (word: string) =>
      buildDocx({ body: Array.from({ length: 300 }, (_, index) => paragraph(`${word} {${word}${index}}`)).join('') });
    await client.template('letter.docx', tagged('before'));
    await sync('pull');
    folder.write('templates/letter.docx', tagged('after'));
    const { exitCode, stdout } = await cli('templates diff');
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').length).toBeLessThan(160);
    expect(stdout).toMatch(/… 280 more tags that are removed; --json has all of them/);
    const { templates } = await sync('diff');
    expect(templates).toMatchObject([{ tags: { added: { length: 300 }, removed: { length: 300 } } }]);
  });

  test('shows text, tags and fields, marks what breaks clients, and exits with 1 when something differs', async () => {
    await client.template('letter.docx', docx('Dear {name}, {city}'));
    await client.template('same.docx', docx('Same {name}'));
    await sync('pull');
    const same = { exitCode: 0, stdout: '', stderr: 'There are no differences.\n' };
    expect(await cli('templates diff')).toMatchObject(same);
    folder.write('templates/letter.docx', docx('Hello {name}, {street}'));
    folder.write('templates/new.docx', docx('{new}'));
    rmSync(folder.at('templates/same.docx'));
    const { exitCode, stdout } = await cli('templates diff');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('letter.docx: differs from version 1\n--- version 1/letter.docx');
    expect(stdout).toContain('\n-Dear {name}, {city}\n+Hello {name}, {street}\n- tag city\n+ tag street\n! ');
    expect(stdout).toMatch(/^! .*city/m);
    expect(stdout).toMatch(/new\.docx: only here\nsame\.docx: only in the service\n$/);
    const { templates } = await sync('diff letter');
    const tags = { added: ['street'], removed: ['city'] };
    expect(templates).toMatchObject([{ state: 'different', version: 1, tags }]);
    folder.write('templates/letter.docx', docx('{#open}'));
    expect((await cli('templates diff letter')).stderr).toContain('the file would be rejected');
    folder.write('templates/letter.docx', 'no zip');
    expect(await cli('templates diff letter')).toMatchObject({ exitCode: 1 });
  });
});

test('promote copies from one account to another, is repeatable, and refuses what breaks clients', async () => {
  const { production, env } = await useProfiles();
  const promote = async (more = '') => {
    const line = `templates promote letter --from staging --to production --json${more}`;
    const { exitCode, stdout, stderr } = await runCli(line, { env });
    expect(stdout, stderr).not.toBe('');
    const { templates } = JSON.parse(stdout) as { readonly templates: readonly Result[] };
    return { exitCode, ...templates[0] };
  };
  const { id } = await client.template('letter.docx', docx('Dear {name}'));
  expect(await promote(' --dry-run')).toMatchObject({ exitCode: 0, action: 'created', version: null });
  expect(await listed(production)).toEqual([]);
  expect(await promote()).toMatchObject({ exitCode: 0, action: 'created', version: 1 });
  expect(await promote()).toMatchObject({ exitCode: 0, action: 'unchanged', version: 1 });
  await client.reupload(id, 'letter.docx', docx('Dear {customer}'));
  const refused = { exitCode: 1, action: 'failed', version: 1, message: expect.stringContaining('--allow-breaking') };
  for (const more of [' --dry-run', '']) expect(await promote(more)).toMatchObject(refused);
  expect(await promote(' --template-version 1')).toMatchObject({ action: 'unchanged' });
  expect(await promote(' --allow-breaking')).toMatchObject({ exitCode: 0, action: 'uploaded', version: 2 });
  expect(await listed(production)).toMatchObject([{ name: 'letter.docx', tags: ['customer'] }]);
  expect((await runCli('templates promote letter --from staging --to staging', { env })).exitCode).toBe(2);
});

test('promote copies templates that include each other in one run, whatever their order', async () => {
  const { production, env } = await useProfiles();
  await client.template('terms.docx', docx('Terms for {name}'));
  await client.template('b.docx', docx('{include "terms"}'));
  await client.template('a.docx', docx('{include "b"}'));
  const { exitCode, stderr } = await runCli('templates promote a b terms --from staging --to production', { env });
  expect(exitCode, stderr).toBe(0);
  expect((await listed(production)).map(({ name }) => name).sort()).toEqual(['a.docx', 'b.docx', 'terms.docx']);
});

test('promote copies delimiters, the stated schema and the invoice mapping, too', async () => {
  const { production, env } = await useProfiles();
  const promote = async () => {
    const { stdout } = await runCli('templates promote letter --from staging --to production --json', { env });
    return (JSON.parse(stdout) as { readonly templates: readonly Result[] }).templates[0];
  };
  const stated = { properties: { born: { type: 'string', format: 'date' } } };
  const invoiceMap = { ...requiredTerms, 'BT-2': 'born' };
  const upload = (schema: object, mapping: object = invoiceMap) => {
    const form = uploadForm('letter.docx', docx('Born <<born>>'));
    form.append('invoiceMap', JSON.stringify(mapping));
    form.append('delimiters', '<< >>');
    form.append('schema', JSON.stringify(schema));
    return client.call('PUT', '/v1/templates', { body: form });
  };
  expect((await upload(stated)).status).toBe(201);
  expect(await promote()).toMatchObject({ action: 'created', version: 1 });
  const [copied] = await listed(production);
  expect((await production.call('GET', `/v1/templates/${copied?.id}`)).json()).toMatchObject({
    tags: ['born'],
    delimiters: '<< >>',
  });
  const settings = async () => {
    const answer = await production.call('GET', `/v1/templates/${copied?.id}/schema`);
    const { stated, invoiceMap } = answer.json<{ stated: object | null; invoiceMap: object | null }>();
    return { stated, invoiceMap };
  };
  expect(await settings()).toEqual({ stated, invoiceMap });
  expect(await promote()).toMatchObject({ action: 'unchanged' });
  expect((await upload({})).status).toBe(200);
  expect(await promote()).toMatchObject({ action: 'uploaded', version: 2 });
  expect(await settings()).toEqual({ stated: null, invoiceMap });
  expect((await upload({}, {})).status).toBe(200);
  expect(await promote()).toMatchObject({ action: 'uploaded', version: 3 });
  expect(await settings()).toEqual({ stated: null, invoiceMap: null });
});

/** The terms that every invoice has. */
const requiredTerms = {
  'BT-1': "'1'",
  'BT-2': "'2026-11-29'",
  'BT-5': "'EUR'",
  'BT-27': "'Seller'",
  'BT-40': "'DE'",
  'BT-44': "'Buyer'",
  'BT-55': "'DE'",
  'BG-25': { 'BT-129': '1', 'BT-130': "'C62'", 'BT-146': '1', 'BT-151': "'Z'", 'BT-152': '0', 'BT-153': "'Item'" },
};

test('push and pull take the invoice mapping beside the file', async () => {
  const form = uploadForm('mapped.docx', docx('Dear {name}'));
  form.append('invoiceMap', JSON.stringify(requiredTerms));
  expect((await client.call('POST', '/v1/templates', { body: form })).status).toBe(201);
  expect((await sync('pull')).actions).toEqual({ 'mapped.docx': 'downloaded' });
  expect(JSON.parse(folder.text('templates/mapped.map.json'))).toEqual(requiredTerms);
  expect((await sync('push')).actions).toEqual({ 'mapped.docx': 'unchanged' });
  folder.write('templates/mapped.map.json', JSON.stringify({ ...requiredTerms, 'BT-44': 'name' }));
  expect((await sync('push')).templates).toMatchObject([{ action: 'uploaded', version: 2 }]);
  expect((await sync('push')).actions).toEqual({ 'mapped.docx': 'unchanged' });
});

test('the commands of the guide work as they are printed', async () => {
  const { production, env } = await useProfiles();
  const [, part = ''] = readFileSync('docs/guides/command-line.md', 'utf8').split('\n## Templates as code\n');
  const [own = ''] = part.split('\n## ');
  const lines = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(10);
  let cwd = folder.path;
  for (const line of lines) {
    const [command = '', alternative] = line.split(' || ');
    if (command.startsWith('cd ')) {
      cwd = join(cwd, command.slice('cd '.length));
      continue;
    }
    const { exitCode, stderr } = await runCli(command.replace(/^docmill /, ''), { cwd, env });
    expect([0, ...(alternative === undefined ? [] : [1])], `${command}\n${stderr}`).toContain(exitCode);
  }
  expect(await listed(production)).toMatchObject([{ name: 'example-invoice.docx', version: 1 }]);
});
