import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';

const { newClient, url } = await useService(inject('stack'));
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'docmill-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync('docs/guides/typescript.md', 'utf8');
const snippets = Array.from(page.matchAll(/^```ts\n(.*?)^```/gms), ([, text = '']) => text);
const secret = `whsec_${Buffer.from('the secret of the guide').toString('base64')}`;

/** Signs for the handler of the guide, which must accept the one request and refuse the other. */
function checkHandler(): string {
  const body = '{"type":"document.succeeded","timestamp":"2026-01-01T00:00:00Z","data":{}}';
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  return [body, `${body} `]
    .map((sent) => JSON.stringify({ method: 'POST', headers, body: sent }))
    .map((init) => `console.log('status', (await receive(new Request('http://localhost', ${init}))).status);`)
    .join('\n');
}

test('the snippets of the guide compile and work, one after the other', async () => {
  expect(snippets.length).toBeGreaterThanOrEqual(10);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  symlinkSync(resolve('examples'), join(folder, 'examples'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'guide.ts'), `${snippets.join('\n')}\n${checkHandler()}\n`);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'] },
    ...{ customConditions: ['docmill-source'], allowImportingTsExtensions: true, skipLibCheck: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['guide.ts'] }));
  const compiled = await execute(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');

  const { apiKey } = await newClient();
  const env = { PATH: process.env.PATH, DOCMILL_URL: url, DOCMILL_API_KEY: apiKey, WEBHOOK_SECRET: secret };
  const words = ['--conditions=docmill-source', '--import', import.meta.resolve('tsx'), 'guide.ts'];
  const { stdout, stderr } = await execute(process.execPath, words, { cwd: folder, env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^doc_[0-9a-z]{26} [\d.]+ \[\]$/m);
  expect(stdout).toMatch(/^3 succeeded certificate-Joan\.pdf$/m);
  expect(stdout).toMatch(/^data\.recipient\.name \S/m);
  expect(stdout.match(/^status \d+$/gm)).toEqual(['status 204', 'status 400']);
  for (const name of ['letter.pdf', 'later.pdf', 'preview.pdf']) {
    expect(readFileSync(join(folder, name)).subarray(0, 5).toString(), name).toBe('%PDF-');
  }
  for (const name of ['letter.docx', 'certificates.zip']) {
    expect(existsSync(join(folder, name)), readdirSync(folder).join(' ')).toBe(true);
  }
}, 300_000);
