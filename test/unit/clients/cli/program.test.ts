import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../../support/folder.ts';
import { listenOnLoopback } from '../../../support/loopback.ts';
import { runInProcess } from './run-in-process.ts';

const folder = useFolder();

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runInProcess(line.split(' ').filter(Boolean), { XDG_CONFIG_HOME: folder.path, ...env });

/** The address of a service that no test calls. */
const service = { DOCMILL_URL: 'http://127.0.0.1:9', DOCMILL_API_KEY: 'dm_secret_key' };

test.each([
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /Exit codes:/],
  ['help', /help \[command\.\.\.\][\s\S]*Exit codes:/],
  ['help login', /--key-stdin/],
  ['help templates push', /--allow-breaking/],
  ['templates help push', /--allow-breaking/],
])('%s is printed on standard output', async (line, shown) => {
  expect(await run(line)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(shown) });
});

describe('errors of a command', () => {
  test.each([
    ['', 2, 'Usage: docmill'],
    ['nonsense', 2, "unknown command 'nonsense'"],
    ['whoami --nonsense', 2, "unknown option '--nonsense'"],
    ['whoami too many', 2, 'too many arguments'],
    ['completion tcsh', 2, 'tcsh'],
    ['login', 2, '--key-stdin'],
    ['whoami', 3, 'Run docmill login'],
    ['mcp --allow-generate', 2, 'Add --folder <folder>'],
    ['mcp --folder /nowhere', 2, 'is not a folder'],
    ['test /nowhere', 2, 'docmill.json is missing'],
    ['dev /nowhere', 2, '/nowhere'],
    ['types --check --output -', 2, 'cannot be combined'],
    ['migrate letter.docx --from pages', 2, 'pages'],
  ])('%j ends with %i and says: %s', async (line, exitCode, message) => {
    const stderr = expect.stringContaining(message);
    expect(await run(line)).toMatchObject({ exitCode, stdout: '', stderr });
  });

  test.each([
    ['jobs show ../account/usage', 'There is no job "../account/usage"'],
    ['batch show ../jobs', 'There is no batch'],
    ['deliveries show ../jobs', 'There is no delivery'],
    ['webhooks deliveries ../jobs', 'There is no webhook'],
  ])('%s exits with 4, and nothing is sent', async (line, message) => {
    expect(await run(line, service)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(message) });
  });

  test.each([
    ['help template', "unknown command 'template'", 'Did you mean templates?'],
    ['help templates pussh', "unknown command 'pussh'", 'Did you mean push?'],
    ['templates help pussh', "unknown command 'pussh'", 'Did you mean push?'],
    ['help zzzz', "unknown command 'zzzz'", 'add --help for help'],
    ['help whoami zzzz', "'docmill whoami' has no command 'zzzz'", 'add --help for help'],
  ])('%j exits with 2 and shows a suggestion instead of the whole help', async (line, message, hint) => {
    const { exitCode, stdout, stderr } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr.split('\n').length).toBeLessThan(6);
  });
});

test.each([
  ['guide', '/guide/'],
  ['api', '/guide/api/'],
])('open %s prints the address of the page', async (page, path) => {
  const stdout = `${service.DOCMILL_URL}${path}\n`;
  expect(await run(`open ${page}`, service)).toMatchObject({ exitCode: 0, stdout });
});

test('with --json an error is a JSON document', async () => {
  const { stdout, stderr } = await run('whoami --json');
  expect(stdout).toBe('');
  const hint = 'Run docmill login, or set DOCMILL_URL and DOCMILL_API_KEY_FILE.';
  expect(JSON.parse(stderr)).toEqual({ error: { exitCode: 3, message: 'You are not logged in.', hint } });
});

test.each<[string, object]>([
  ['', { message: 'The command is incomplete.', hint: 'Add --help for help.' }],
  ['templates', { message: 'The command is incomplete.', hint: 'Add --help for help.' }],
  ['nonsense', { message: "unknown command 'nonsense'", hint: 'Add --help for help.' }],
  ['whoami --nonsense', { message: "unknown option '--nonsense'" }],
  ['templates pussh', { message: "unknown command 'pussh'", hint: 'Did you mean push?' }],
  ['generate', { message: "missing required argument 'template'" }],
  ['batch run letter people.csv --max-failures many', { message: expect.stringContaining("'many' is invalid") }],
])('with --json the wrong command %j is a JSON document, too', async (line, error) => {
  const { exitCode, stdout, stderr } = await run(`${line} --json`);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(JSON.parse(stderr)).toEqual({ error: expect.objectContaining({ exitCode: 2, ...error }) });
});

test('--json after -- is an argument, and --help is printed as text', async () => {
  const { stderr } = await run('nonsense -- --json');
  expect(stderr).toMatch(/^error: unknown command/);
  expect(await run('--json --help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Usage:') });
});

test.each([
  ['generate letter --data missing.json', 'missing.json does not exist.'],
  ['batch letter missing.csv', 'missing.csv does not exist.'],
  ['dictionary put missing.json', 'missing.json does not exist.'],
])('%s says which file is missing', async (line, message) => {
  expect(await run(line, service)).toMatchObject({ exitCode: 2, stderr: `Error: ${message}\n` });
});

test('a folder in place of a file is reported', async () => {
  const stderr = 'Error: The path is a folder, not a file.\n';
  expect(await run(`generate letter --data ${folder.path}`, service)).toMatchObject({ exitCode: 2, stderr });
});

test('an unreadable file of profiles exits with 2', async () => {
  folder.write('home/docmill', 'not a folder');
  const stderr = expect.stringContaining('a part of the path is a file, not a folder');
  expect(await run('whoami', { XDG_CONFIG_HOME: folder.at('home') })).toMatchObject({ exitCode: 2, stderr });
});

test('a project without the requested cases exits with 2', async () => {
  for (const name of ['docmill.json', 'templates/letter.docx']) folder.write(name, '{}');
  for (const [filter, message] of [
    ['', 'There are no cases.'],
    [' --filter nothing', 'No case matches "nothing"'],
  ] as const)
    expect(await run(`test ${folder.path}${filter}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message),
    });
});

test('an address that does not respond exits with 5, and the key is not printed', async () => {
  const { url, close } = await listenOnLoopback(createServer());
  await close();
  const { exitCode, stderr } = await run('whoami', { ...service, DOCMILL_URL: url });
  expect(exitCode).toBe(5);
  expect(stderr).not.toContain(service.DOCMILL_API_KEY);
});
