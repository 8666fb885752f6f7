import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { toErrorResponse } from '../../../../src/api/http/problem.ts';
import { serveConsole } from '../../../../src/api/pages/serve-console.ts';
import { writeFiles } from '../../../../tools/site/write-files.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();
const built = join(folder, 'console');
const app = new Hono<ApiEnv>();
app.onError(toErrorResponse);
serveConsole(app, {}, built);

const get = (path: string) => Promise.resolve(app.request(path));

test('the response says how to build a missing console, and a console built later is served at once', async () => {
  mkdirSync(join(folder, 'beside'));
  const unbuilt = await get('/console/');
  expect(unbuilt.status).toBe(404);
  expect(await unbuilt.text()).toContain('npm run console');
  const page = '<!doctype html><script type="module" src="./assets/index-1.js"></script>';
  await writeFiles(
    new Map([
      ['index.html', Buffer.from(page)],
      ['assets/index-1.js', Buffer.from('export {};')],
    ]),
    built,
  );
  expect(await (await get('/console/')).text()).toBe(page);
  expect(await (await get('/console/a/b?c=/d/e')).text()).toContain('src="./../assets/index-1.js"');
  expect((await get('/console/assets/index-1.js')).headers.get('Content-Type')).toMatch(/^text\/javascript/);
});

test('only files of the build are served', async () => {
  for (const path of ['files.json', '..%2Fbeside', 'assets/..%2Findex.html', 'assets/missing.js']) {
    const answer = await get(`/console/${path}`);
    expect(await answer.text(), path).not.toMatch(/base64|"index\.html"/);
  }
  expect((await get('/console/assets/missing.js')).status).toBe(404);
  const redirect = await get('/console');
  expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, 'console/']);
});
