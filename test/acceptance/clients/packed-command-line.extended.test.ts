import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { startRegistry } from './local-registry.ts';
import { packClients } from './pack-clients.ts';
import { cliEnv } from './run-cli.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = useFolder();
const project = folder.at('project');
const run = promisify(execFile);
let client: TestClient;

beforeAll(async () => {
  client = await newClient();
  await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  const packed = packClients(folder.at('build'));
  const { url, server } = await startRegistry();
  folder.write('project/package.json', '{"private":true}');
  const words = ['install', ...packed, '--registry', url, '--cache', folder.at('cache'), '--no-audit', '--no-fund'];
  try {
    await run('npm', words, { cwd: project });
  } finally {
    server.close();
  }
});

const env = () => ({ ...cliEnv(folder.path, { url: stack.url, apiKey: client.apiKey }), npm_config_offline: 'true' });

/** Runs the program that npm installed. */
const npx = (line: string) => run('npx', ['--no', '--', 'docmill', ...line.split(' ')], { cwd: project, env: env() });

describe('the packed program', () => {
  test('prints its help and its version', async () => {
    expect((await npx('--help')).stdout).toContain('Exit codes:');
    const { version } = JSON.parse(readFileSync('clients/cli/package.json', 'utf8')) as { version: string };
    expect((await npx('--version')).stdout).toBe(`${version}\n`);
  });

  test('contains no sources, and only the declared files', () => {
    const installed = join(project, 'node_modules/docmill');
    expect(existsSync(join(installed, 'dist/main.js'))).toBe(true);
    for (const name of ['src', 'tsconfig.json', 'node_modules']) expect(existsSync(join(installed, name))).toBe(false);
  });

  test('makes a document and a batch', async () => {
    await npx('generate letter --set name=Ada --output ada.docx');
    expect(folder.read('project/ada.docx').subarray(0, 2).toString()).toBe('PK');
    folder.write('project/people.csv', 'name\nAda\nGrace\n');
    await npx('batch letter people.csv --output letters.zip --yes');
    expect((await run('unzip', ['-Z1', join(project, 'letters.zip')])).stdout).toContain('manifest.csv');
  });
});

/** Runs a program in a terminal of its own and types input; prints what the terminal showed and the exit code. */
const terminal = `
import json, os, pty, sys
typed = json.loads(sys.argv[1])
pid, screen = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b''
while True:
    try:
        chunk = os.read(screen, 4096)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk
    if typed and typed[0][0].encode() in shown:
        os.write(screen, typed.pop(0)[1].encode())
sys.stdout.write(shown.decode() + '\\nexit ' + str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
`;

async function inTerminal(line: string, typed: readonly (readonly [string, string])[], environment: object) {
  const program = [process.execPath, join(project, 'node_modules/docmill/dist/main.js'), ...line.split(' ')];
  const options = { cwd: project, env: { ...cliEnv(folder.path), TERM: 'xterm', ...environment } };
  return (await run('/usr/bin/python3', ['-c', terminal, JSON.stringify(typed), ...program], options)).stdout;
}

describe('a terminal', () => {
  test('does not show the key for which login asks', async () => {
    const typed = [
      ['Address of the service: ', `${stack.url}\r`],
      ['API key: ', `${client.apiKey}\r`],
    ] as const;
    const shown = await inTerminal('login', typed, { XDG_CONFIG_HOME: folder.at('login') });
    expect(shown).toMatch(/exit 0$/);
    expect(shown).toContain(stack.url);
    for (let length = 4; length <= client.apiKey.length; length += 4)
      expect(shown).not.toContain(client.apiKey.slice(length - 4, length + 4));
    expect(folder.text('login/docmill/config.json')).toContain(client.apiKey);
  });

  test('stores nothing on Ctrl-C at the prompt for the key', async () => {
    const typed = [['API key: ', '\u0003']] as const;
    const environment = { XDG_CONFIG_HOME: folder.at('cancelled') };
    expect(await inTerminal(`login --url ${stack.url}`, typed, environment)).toMatch(/exit 130$/);
    expect(folder.list()).not.toContain('cancelled');
  });

  test('asks before the rows of a batch are charged, and shows a progress bar', async () => {
    const remaining = async () => (await client.quotas()).remaining.total.docs;
    const before = await remaining();
    folder.write('project/asked.csv', 'name\nAda\nGrace\nAlan\n');
    const line = 'batch letter asked.csv --output asked.zip';
    const no = await inTerminal(line, [['[y/N] ', 'n\r']], env());
    expect(no).toContain('Make 3 documents with letter.docx?');
    expect(no).toMatch(/Nothing was sent\.\s+exit 130$/);
    expect(await remaining()).toBe(before);
    const yes = await inTerminal(line, [['[y/N] ', 'y\r']], env());
    expect(yes).toMatch(/\[#{24}\] {2}3\/3 {2}100%/);
    expect(yes).toMatch(/exit 0$/);
    expect(await remaining()).toBe(before - 3);
  });
});

const shells = {
  bash: (file: string) => [
    ...['bash', '--norc', '-c'],
    `source ${file}; COMP_WORDS=(docmill batch re); COMP_CWORD=2; _docmill; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (file: string) => [
    ...['zsh', '-f', '-c'],
    `autoload -U compinit; compinit -u -d ${file}.dump; source ${file}; _describe() { print -l -- "\${(@P)2}" }; words=(docmill batch re); CURRENT=3; _docmill`,
  ],
  fish: (file: string) => ['fish', '--no-config', '-c', `source ${file}; complete -C 'docmill batch re'`],
};

describe('completion', () => {
  test.each(Object.entries(shells))('%s loads its script and completes', async (shell, commandOf) => {
    const { stdout: script } = await npx(`completion ${shell}`);
    const [program = '', ...words] = commandOf(folder.write(`completion.${shell}`, script));
    const { stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', env: { ...env(), TERM: 'dumb' } });
    expect({ error, stderr }).toEqual({ error: undefined, stderr: '' });
    expect(stdout.match(/^(resume|retry)\b/gm)).toEqual(['resume', 'retry']);
  });
});
