import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { readCommands } from './commands.ts';

/** Runs the commands of the documents as they are printed, one after the other, in one clone and with one account. */

const stack = inject('stack');
const { newClient } = await useService(stack);
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' });
const statusBefore = git('status', '--porcelain');
const pages = git('ls-files', '*.md')
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('bench/results/'))
  .map((page) => ({ page, ...readCommands(readFileSync(page, 'utf8')) }));
const again = pages.filter(
  ({ page, script }) => script.trim() !== '' && (page === 'README.md' || page.startsWith('docs/guides/')),
);
const client = await newClient({ docs: 100_000, templates: 20 });

// Works like a fresh clone, without a copy of its packages. New files of the commands stay in this folder.
const clone = mkdtempSync(join(tmpdir(), 'docmill-documents-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));
const entries = readdirSync('.').filter((name) => name !== 'out' && name !== '.git');
for (const name of entries) symlinkSync(resolve(name), join(clone, name));

test.each(pages)('$page', async ({ script, skipped }) => {
  expect(
    skipped.filter((reason) => reason === ''),
    'blocks that are not executed say why',
  ).toEqual([]);
  await expectToWork(script);
});

// In the other direction, because the guides may be read in any order.
test.each(again.toReversed())('$page, a second time', ({ script }) => expectToWork(script));

test('no page leaves two templates of one name', async () => {
  const listed = (await client.call('GET', '/v1/templates?limit=1000')).json<{ readonly name: string }[]>();
  const names = listed.map(({ name }) => name);
  expect(names).not.toEqual([]);
  expect(names).toEqual([...new Set(names)]);
});

test('commands write nothing into the clone but the folder out, which git ignores', () => {
  expect(readdirSync(clone).sort()).toEqual([...entries, 'out'].sort());
  expect(git('check-ignore', 'out/letter-1.pdf').trim()).toBe('out/letter-1.pdf');
  expect(git('status', '--porcelain')).toBe(statusBefore);
});

async function expectToWork(script: string): Promise<void> {
  if (script.trim() === '') return;
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    cwd: clone,
    env: { PATH: process.env.PATH, ...stack.env, URL: stack.url, KEY: client.apiKey, ACCOUNT: client.accountId },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // A command that fails ends the shell before it has read the others.
  shell.stdin.on('error', () => undefined).end(script);
  const [status] = (await once(shell, 'close')) as [number | null];
  expect(status, output.slice(-4_000)).toBe(0);
}
