import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { useFolder } from '../../support/folder.ts';

const { newClient, url } = await useService(inject('stack'));
const execute = promisify(execFile);
const folder = useFolder();

const page = readFileSync('docs/guides/typescript.md', 'utf8');
const snippets = Array.from(page.matchAll(/^```ts\n(.*?)^```/gms), ([, text = '']) => text);
const secret = `whsec_${Buffer.from('the secret of the guide').toString('base64')}`;

/** Sends a signed request and a changed one to the handler of the guide, which must refuse the second. */
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

test('the snippets of the guide compile and work, one after the other, and again on the same account', async () => {
  expect(snippets.length).toBeGreaterThanOrEqual(10);
  symlinkSync(resolve('node_modules'), folder.at('node_modules'));
  symlinkSync(resolve('examples'), folder.at('examples'));
  folder.write('package.json', '{"type":"module"}');
  folder.write('guide.ts', `${snippets.join('\n')}\n${checkHandler()}\n`);
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'] },
    ...{ customConditions: ['docmill-source'], allowImportingTsExtensions: true, skipLibCheck: true },
  };
  folder.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['guide.ts'] }));
  const compiler = [resolve('node_modules/typescript/bin/tsc'), '-p', folder.path];
  const compiled = await execute(process.execPath, compiler).catch((error: { readonly stdout: string }) => error);
  expect(compiled.stdout).toBe('');

  const { apiKey } = await newClient();
  const env = { PATH: process.env.PATH, DOCMILL_URL: url, DOCMILL_API_KEY: apiKey, WEBHOOK_SECRET: secret };
  const words = ['--conditions=docmill-source', '--import', import.meta.resolve('tsx'), 'guide.ts'];
  await execute(process.execPath, words, { cwd: folder.path, env });
  const { stdout, stderr } = await execute(process.execPath, words, { cwd: folder.path, env });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^doc_[0-9a-z]{26} [\d.]+ \[\]$/m);
  expect(stdout).toMatch(/^3 succeeded certificate-Joan\.pdf$/m);
  expect(stdout).toMatch(/^data\.recipient\.name \S/m);
  expect(stdout.match(/^status \d+$/gm)).toEqual(['status 204', 'status 400']);
  for (const name of ['letter.pdf', 'later.pdf', 'preview.pdf']) {
    expect(folder.read(name).subarray(0, 5).toString(), name).toBe('%PDF-');
  }
  expect(folder.list()).toEqual(expect.arrayContaining(['letter.docx', 'certificates.zip']));
});
