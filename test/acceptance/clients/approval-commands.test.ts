import { chmodSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, runCli } from './run-cli.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const folder = useFolder();
const docx = (text: string) => buildDocx({ body: paragraph(text) });
let production: TestClient;
let staging: TestClient;
let env: ReturnType<typeof cliEnv>;

beforeAll(async () => {
  [staging, production] = await Promise.all([newClient(), newClient()]);
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: production.accountId,
    name: 'Grace',
    scopes: 'templates:read,templates:approve',
  });
  const profileOf = (key: string) => ({ url, apiKey: key });
  const keys = { staging: staging.apiKey, production: production.apiKey, approver: apiKey };
  const profiles = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, profileOf(key)]));
  const config = JSON.stringify({ defaultProfile: 'production', profiles });
  chmodSync(folder.write('docmill/config.json', config), 0o600);
  env = { ...cliEnv(folder.path), XDG_CONFIG_HOME: folder.path };
  await operator.run('set-approval', { account: production.accountId, approval: 'on' });
});

const cli = (line: string) => runCli(`templates ${line}`, { cwd: folder.path, env });
const promote = async (more = '') => {
  const { stdout, stderr, exitCode } = await cli(`promote letter --from staging --to production --json${more}`);
  expect(stdout, stderr).not.toBe('');
  return { exitCode, ...(JSON.parse(stdout) as { templates: readonly object[] }).templates[0] };
};

test('promote makes a draft where approval is needed, and --submit submits it', async () => {
  const { id } = await staging.template('letter.docx', docx('Dear {name}'));
  const draft = {
    exitCode: 0,
    action: 'created',
    version: 1,
    warnings: [expect.stringMatching(/^version 1 is a draft/)],
  };
  expect(await promote()).toMatchObject(draft);
  expect(await promote()).toMatchObject({ exitCode: 0, action: 'unchanged', version: 1 });
  await staging.reupload(id, 'letter.docx', docx('Hello {name}'));
  expect(await promote(' --submit')).toMatchObject({
    action: 'uploaded',
    version: 2,
    warnings: [expect.stringMatching(/^version 2 waits for approval/)],
  });
});

test('an author submits, and another person refuses or approves', async () => {
  const submitted = await cli('submit letter --template-version 1 --comment First');
  expect(submitted).toMatchObject({ exitCode: 0 });
  expect(submitted.stdout).toContain('Version 1 of letter.docx waits for the approval of another person.');
  expect((await cli('approve letter')).stderr).toContain('templates:approve');
  const refused = await cli('refuse letter --template-version 1 --comment No --profile approver');
  expect(refused.stdout).toContain('Version 1 of letter.docx is refused; the live version stays.');
  const approved = await cli('approve letter --profile approver');
  expect(approved.stdout).toContain('Version 2 of letter.docx is live.');
});

test('push and pull follow the draft that was pushed last', async () => {
  expect((await cli('pull --json')).exitCode).toBe(0);
  folder.write('templates/letter.docx', docx('Good morning {name}'));
  const actionsOf = async (line: string) => {
    const { stdout, stderr } = await cli(`${line} --json`);
    expect(stdout, stderr).not.toBe('');
    return (JSON.parse(stdout) as { templates: readonly { action: string; version: number }[] }).templates;
  };
  expect(await actionsOf('push')).toMatchObject([{ action: 'uploaded', version: 3 }]);
  expect(await actionsOf('push')).toMatchObject([{ action: 'unchanged', version: 3 }]);
  expect(await actionsOf('pull')).toMatchObject([{ action: 'unchanged', version: 3 }]);
  folder.write('templates/letter.docx', docx('Good evening {name}'));
  expect(await actionsOf('push')).toMatchObject([{ action: 'uploaded', version: 4 }]);
});
