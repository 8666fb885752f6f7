import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { readCommands } from './commands.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(isDocument);

describe('the commands of a document work as they are printed', () => {
  test.each(pages.map((page) => ({ page, ...readCommands(readFileSync(page, 'utf8')) })))('$page', async (one) => {
    expect(
      one.skipped.filter((reason) => reason === ''),
      'blocks that are not executed say why',
    ).toEqual([]);
    if (one.script.trim() === '') return;
    const { status, output } = await runPage(one.script);
    expect(status, output).toBe(0);
  });
});

function isDocument(file: string): boolean {
  return file !== '' && !file.startsWith('bench/results/');
}

/** Runs a script in a folder that has the examples, or in the repository's when it needs its npm scripts. */
async function runPage(script: string): Promise<{ readonly status: number; readonly output: string }> {
  const client = await newClient({ docs: 100_000, templates: 100 });
  const scratch = mkdtempSync(join(tmpdir(), 'docmill-documents-'));
  symlinkSync(resolve('examples'), join(scratch, 'examples'));
  try {
    const shell = spawn('bash', ['-euo', 'pipefail'], {
      cwd: script.includes('npm run') ? '.' : scratch,
      env: { PATH: process.env.PATH, ...stack.env, URL: stack.url, KEY: client.apiKey, ACCOUNT: client.accountId },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    shell.stdin.end(script);
    const [status] = (await once(shell, 'close')) as [number | null];
    return { status: status ?? -1, output: output.slice(-4_000) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
