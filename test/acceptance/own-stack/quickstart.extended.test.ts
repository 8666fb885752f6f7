import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { useBrowser } from '../pages/use-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-quickstart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open = useBrowser((address) => /^(http:\/\/(localhost|127\.0\.0\.1)[:/]|blob:|data:)/.test(address), 'load');

test('the quick start produces documents, signs in with one click, prints curl lines that work, and exits with 0 on Ctrl-C', async () => {
  const quickstart = spawn('./quickstart', [], {
    env: { ...process.env, LOCAL_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const left = once(quickstart, 'exit');
  let [stdout, stderr] = ['', ''];
  quickstart.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  quickstart.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  try {
    await vi.waitFor(() => expect(stdout, stderr).toContain('you press Ctrl-C'), { timeout: 240_000, interval: 100 });
    expect(readFileSync('out/invoice.docx').subarray(0, 2).toString()).toBe('PK');
    expect(readFileSync('out/invoice.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    const mail = /^ {2}Mail +(.+)$/m.exec(stdout)?.[1] ?? '';
    expect(readFileSync(mail, 'latin1')).toMatch(/^To: customer@example\.com\r$/m);

    const address = /^ {2}Console +(.+)$/m.exec(stdout)?.[1] ?? '';
    const { page, problems } = await open(address, { width: 1280, scheme: 'light' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'invoice.docx' }).waitFor();
    expect(address.startsWith(`${page.url().replace(/templates$/, '')}#key=`), page.url()).toBe(true);
    await page.context().close();
    expect(problems).toEqual([]);

    const pasted = stdout.slice(stdout.indexOf('  URL=')).replace(/The service runs until.*/, '');
    const answers = await promisify(execFile)('bash', ['-euc', pasted]);
    expect(answers.stdout).toContain('"name":"letter.docx"');
    expect(answers.stdout).toContain('"remaining"');
    expect(answers.stdout).toContain('"redis":"read"');
    for (const name of ['DATABASE_URL', 'S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY']) expect(pasted).toContain(`${name}=`);
    expect(readFileSync('out/mine.docx').subarray(0, 2).toString()).toBe('PK');
    for (const file of ['out/mine.pdf', 'out/mailed.pdf']) {
      expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
    }
  } finally {
    quickstart.kill('SIGINT');
  }
  expect(await left).toEqual([0, null]);
});
