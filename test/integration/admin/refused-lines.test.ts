import { expect, test } from 'vitest';
import { useOwnDatabase } from '../../support/services/database.ts';
import { runAdmin } from './run-admin.ts';

const { url } = await useOwnDatabase();

test.each([
  [['set-budget'], 2, '--key is missing'],
  [['no-such-command'], 2, 'Usage: admin <command>'],
  [['create-account', '--name', 'Bad\u0007Name'], 2, '--name must be visible text'],
  [['create-account', '--name', 'a', '--name', 'b'], 2, "'--name' is given twice"],
  [['create-account', '--name'], 2, 'Usage: admin create-account'],
  [['create-key', '--account', 'acc_1', '--expires', '2020-01-01'], 2, '--expires must be in the future'],
  [['create-key', '--account', 'acc_1', '--kind', 'free'], 2, '--kind must be live or test'],
  [['create-key', '--account', 'acc_1', '--scopes', 'generate,'], 2, '--scopes must be a list of'],
  [['create-key', '--account', 'acc_1', '--scopes', ''], 2, '--scopes must be 1 to 200'],
  [['create-key', '--account', 'acc_1', '--scopes', 'admin'], 2, '--scopes must be a list of templates:read, '],
  [['grant-credits', '--account', 'acc_1', '--docs', '0', '--templates', '0'], 2, 'must not both be 0'],
  [['create-key', '--account', `acc_${'0'.repeat(26)}`], 1, 'There is no account'],
  [['create-key', '--account', `key_${'0'.repeat(26)}`], 2, '--account must be the id of an account'],
  [['list-quarantine', '--account', `acc_${'0'.repeat(26)}`], 1, 'There is no account'],
  [['create-account', '--na\u001b[31m\u202eme', 'x'], 2, "Unknown option '--na[?]\\[31m[?]me'"],
  [['show-document', '--document', `doc_${'0'.repeat(26)}`], 1, 'There is no document'],
])('%j is refused with a message of one line and an exit code', async (line, code, said) => {
  expect(await runAdmin(line, { DATABASE_URL: url })).toEqual({
    code,
    out: {},
    problem: expect.stringMatching(new RegExp(`^.*${said}.*\\n$`)),
  });
});

test('an operator learns what to do about the database', async () => {
  const problemWith = async (change: (address: URL) => void): Promise<string> => {
    const address = new URL(url);
    change(address);
    return (await runAdmin(['list-accounts'], { DATABASE_URL: address.href })).problem;
  };
  const away = await problemWith((address) => {
    address.port = '1';
  });
  expect(away).toMatch(/ECONNREFUSED.*Check DATABASE_URL.*doctor --only postgresql/);
  const empty = await problemWith((address) => {
    address.pathname = '/postgres';
  });
  expect(empty).toMatch(/does not have the schema of this release.*run "admin migrate"/);
});
