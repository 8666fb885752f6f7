import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { desktop, screens, useBrowser, violationsOf } from '../pages/use-browser.ts';
import { runCli } from './run-cli.ts';
import { type RunningDev, startDev } from './start-dev.ts';

const { newClient, url } = await useService(inject('stack'));
const root = mkdtempSync(join(tmpdir(), 'docmill-dev-test-'));
const running: RunningDev[] = [];
const open = useBrowser((address) => /^(http:\/\/127\.0\.0\.1:|blob:)/.test(address), 'load');
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
let client: TestClient;

beforeAll(async () => {
  client = await newClient({ docs: 0, templates: 5 });
});
afterEach(async () => {
  for (const dev of running.splice(0)) expect(await dev.interrupt(), dev.stderr()).toBe(0);
  // A retry starts with an empty folder.
  for (const folder of readdirSync(root)) rmSync(join(root, folder), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** A template whose pages begin with these texts. */
const template = (...pages: readonly string[]): Buffer =>
  buildDocx({ body: pages.map((text) => paragraph(text)).join(pageBreak) });

async function start(folder: string, service = { url, apiKey: client.apiKey }): Promise<RunningDev> {
  const dev = await startDev(join(root, folder), service);
  running.push(dev);
  return dev;
}

const texts = (page: Page): Promise<string[]> => page.locator('#pages .page p').allTextContents();
const status = (page: Page): Promise<string | null> => page.locator('#status').textContent();
const scrolled = (page: Page): Promise<number> => page.evaluate<number>('document.getElementById("pages").scrollTop');
const data = (page: Page) => page.getByRole('textbox', { name: /^Data [^o]/ });
const drawn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('#pages canvas');
    if (canvas === null || canvas.width === 0) return false;
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value, index) => index % 4 < 3 && value < 100);
  })()`);

test('a saved template and saved data are seen at once; page, scroll and zoom stay', async () => {
  const file = write('letters/letter.docx', template('Dear {name}', 'Second page', 'Third page'));
  write('letters/letter.json', '{"name": "Ada"}');
  write('letters/~$letter.docx', 'lock file of Word');
  const dev = await start('letters');
  const { page, problems } = await open(dev.address, desktop);
  await expect.poll(() => texts(page)).toEqual(['Dear Ada', 'Second page', 'Third page']);
  await expect.poll(() => drawn(page)).toBe(true);
  await expect.poll(() => status(page)).toMatch(/^3 pages in \d+ ms$/);
  expect(page.url(), 'the token is not in the address').not.toContain('token');

  await page.getByRole('button', { name: 'Larger' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.locator('#pages').evaluate((pages) => pages.scrollBy(0, 123));
  const before = await scrolled(page);
  const zoom = await page.locator('#fit').textContent();
  expect(before).toBeGreaterThan(1_000);
  await expect.poll(() => page.locator('#position').textContent()).toBe('Page 2 of 3');

  // As editors save: a new file takes the place of the old one.
  renameSync(write('letters/.letter.tmp', template('Hello {name}', 'Second page, longer', 'Third page')), file);
  await expect.poll(() => texts(page)).toEqual(['Hello Ada', 'Second page, longer', 'Third page']);
  expect(await scrolled(page)).toBe(before);
  write('letters/letter.json', '{"name": "Grace"}');
  await expect.poll(() => texts(page)).toContain('Hello Grace');
  await expect.poll(() => data(page).inputValue()).toBe('{"name": "Grace"}');
  expect([await scrolled(page), await page.locator('#fit').textContent()]).toEqual([before, zoom]);

  await page.reload();
  await expect.poll(() => texts(page)).toContain('Hello Grace');
  await expect.poll(() => scrolled(page)).toBe(before);
  expect(await page.locator('#fit').textContent()).toBe(zoom);
  expect(problems).toEqual([]);
  await page.close();

  expect((await client.call('GET', '/v1/templates')).json()).toEqual([]);
  expect(dev.stdout()).toMatch(/^\d\d:\d\d:\d\d {2}letter \/ letter: 3 pages in \d+ ms$/m);
});

describe('mistakes', () => {
  test('an error has its tag, part, context and hint, over the pages before it, and heals', async () => {
    write('errors/letter.docx', template('Dear {name}'));
    write('errors/letter.json', '{"name": "Ada"}');
    const dev = await start('errors');
    const { page, problems } = await open(dev.address, desktop);
    await expect.poll(() => texts(page)).toEqual(['Dear Ada']);
    const shown = page.getByRole('region', { name: 'Problems' });
    write('errors/letter.docx', template('Dear {name} {%barcode name "none"}'));
    await expect.poll(() => shown.textContent()).toContain('none');
    for (const term of ['Tag', 'Part', 'Context', 'Hint']) {
      expect(await shown.getByRole('term').allTextContents()).toContain(term);
    }
    expect(await shown.locator('mark').textContent()).toContain('{%barcode name "none"}');
    expect(await texts(page), 'the last pages stay').toEqual(['Dear Ada']);
    expect(await violationsOf(page, desktop)).toEqual([]);
    expect(dev.stdout()).toContain('barcode');

    write('errors/letter.docx', template('Dear {name | upper} of {city}'));
    await expect.poll(() => texts(page)).toEqual(['Dear ADA of']);
    await expect.poll(() => shown.textContent()).toContain('{city}');
    expect(await shown.locator('li').getAttribute('class')).toBe('warning');
    expect(await violationsOf(page, desktop)).toEqual([]);

    write('errors/letter.json', '{\n  "name": "Ada",\n  "city" "London"\n}');
    await expect.poll(() => shown.textContent()).toContain('not valid JSON');
    // The data of the file come with an answer of their own.
    await expect.poll(() => data(page).inputValue()).toContain('London');
    await shown.getByRole('button', { name: /^Line 3, column \d+$/ }).click();
    expect(await data(page).evaluate((area: { selectionStart: number; value: string }) => area.selectionStart)).toBe(
      28,
    );
    write('errors/letter.json', '{"name": "Ada", "city": "London"}');
    await expect.poll(() => texts(page)).toEqual(['Dear ADA of London']);
    await expect.poll(() => shown.isHidden()).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a service that cannot be reached is reported, and the page heals when it is back', async () => {
    write('lost/letter.docx', template('Dear {name}'));
    write('lost/letter.json', '{"name": "Ada"}');
    const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
    const dev = await start('lost', { url: `http://127.0.0.1:${proxy.port}`, apiKey: client.apiKey });
    const { page } = await open(dev.address, desktop);
    await expect.poll(() => texts(page)).toEqual(['Dear Ada']);
    await proxy.refuse();
    write('lost/letter.json', '{"name": "Grace"}');
    await expect.poll(() => status(page)).toContain('The service cannot be reached');
    expect(await texts(page)).toEqual(['Dear Ada']);
    await proxy.heal();
    await expect.poll(() => texts(page)).toEqual(['Dear Grace']);
    await page.close();
    await proxy.close();
  });

  test('a wrong key says what to do', async () => {
    write('key/letter.docx', template('Dear {name}'));
    write('key/letter.json', '{"name": "Ada"}');
    const dev = await start('key', { url, apiKey: 'dts_wrong' });
    const { page } = await open(dev.address, desktop);
    await expect.poll(() => page.getByRole('region', { name: 'Problems' }).textContent()).toContain('docmill login');
    expect(dev.stdout() + dev.stderr()).not.toContain('dts_wrong');
    await page.close();
  });
});

describe('data', () => {
  test('is edited beside the pages and saved on request', async () => {
    const file = write('edited/letter.json', '{"name": "Ada", "id": 12345678901234567890}\n');
    write('edited/letter.docx', template('Dear {name}'));
    const dev = await start('edited');
    const { page, problems } = await open(dev.address, desktop);
    await expect.poll(() => texts(page)).toEqual(['Dear Ada']);
    await data(page).fill('{"name": "Grace",}');
    expect(await page.locator('#data-problem').textContent()).toMatch(/not valid JSON.*Line 1, column 18/);
    expect(readFileSync(file, 'utf8'), 'nothing is saved by itself').toContain('Ada');
    await data(page).fill('{"name": "Grace", "id": 12345678901234567890}\n');
    await data(page).press('Control+s');
    await expect.poll(() => texts(page)).toEqual(['Dear Grace']);
    expect(readFileSync(file, 'utf8')).toBe('{"name": "Grace", "id": 12345678901234567890}\n');
    expect(readdirSync(join(root, 'edited')).sort()).toEqual(['letter.docx', 'letter.json']);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

    await data(page).fill('{"name": "never saved"}');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(() => data(page).inputValue()).toBe('{"name": "never saved"}');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await data(page).inputValue()).toContain('Grace');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a file that changed at the same time is not overwritten: both are offered', async () => {
    const file = write('both/letter.json', '{"name": "Ada"}');
    write('both/letter.docx', template('Dear {name}'));
    const dev = await start('both');
    const { page } = await open(dev.address, desktop);
    await expect.poll(() => data(page).inputValue()).toBe('{"name": "Ada"}');
    await data(page).fill('{"name": "mine"}');
    writeFileSync(file, '{"name": "theirs"}');
    const other = page.getByRole('textbox', { name: 'The data on disk' });
    await expect.poll(() => other.isVisible()).toBe(true);
    expect(await other.inputValue()).toBe('{"name": "theirs"}');
    expect(await data(page).inputValue()).toBe('{"name": "mine"}');
    expect(await violationsOf(page, desktop)).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine and save' }).click();
    await expect.poll(() => readFileSync(file, 'utf8')).toBe('{"name": "mine"}');
    await expect.poll(() => texts(page)).toEqual(['Dear mine']);

    await data(page).fill('{"name": "mine again"}');
    writeFileSync(file, '{"name": "newest"}');
    await page.getByRole('button', { name: 'Take the file' }).click();
    expect(await data(page).inputValue()).toBe('{"name": "newest"}');
    expect(readFileSync(file, 'utf8')).toBe('{"name": "newest"}');
    await page.close();
  });

  test('a template without data is filled with an example, which can be saved', async () => {
    write('fresh/letter.docx', template('Dear {customer.name}'));
    const dev = await start('fresh');
    const { page } = await open(dev.address, desktop);
    await expect.poll(() => data(page).inputValue()).toMatch(/"customer": \{\s+"name": /);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => readdirSync(join(root, 'fresh'))).toContain('letter.json');
    await page.close();
  });
});

test('templates and cases of a project are chosen, and appear when they are added', async () => {
  write('project/docmill.json', '{"test": {"output": {"locale": "de-DE"}}}');
  for (const name of ['bill', 'letter']) write(`project/templates/${name}.docx`, template(`${name} {sum | number:2}`));
  write('project/cases/bill/small.json', '{"sum": 1.5}');
  write('project/cases/bill/large.json', '{"sum": 1500}');
  write('project/cases/letter/one.json', '{"sum": 7}');
  const dev = await start('project');
  const { page } = await open(dev.address, desktop);
  await expect.poll(() => texts(page)).toEqual(['bill 1.500,00']);
  await page.getByRole('combobox', { name: 'Data' }).selectOption('small');
  await expect.poll(() => texts(page)).toEqual(['bill 1,50']);
  await page.getByLabel('Template').selectOption('letter');
  await expect.poll(() => texts(page)).toEqual(['letter 7,00']);
  write('project/cases/letter/two.json', '{"sum": 8}');
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Data' }).locator('option').allTextContents())
    .toContain('two');
  write('project/docmill.json', '{');
  await expect
    .poll(() => page.getByRole('region', { name: 'Problems' }).textContent())
    .toContain('docmill.json is not valid JSON');
  write('project/docmill.json', '{}');
  await expect.poll(() => texts(page)).toEqual(['letter 7.00']);
  write('project/docmill.json', '{"delimiters": "<< >>"}');
  write('project/templates/letter.docx', template('<<sum | number:1>> of {sum}'));
  await expect.poll(() => texts(page)).toEqual(['7.0 of {sum}']);
  await page.close();
});

describe.each(screens)('on a screen of $width pixels, $scheme', (screen) => {
  test('the page is accessible, and nothing leaves the screen', async () => {
    write('screens/letter.docx', template('Dear {name}, welcome to {city}', 'Second page'));
    write('screens/letter.json', '{\n  "name": "Ada"\n}\n');
    const dev = await start('screens');
    const { page, problems } = await open(dev.address, screen);
    await expect.poll(() => texts(page)).toEqual(['Dear Ada, welcome to', 'Second page']);
    await expect.poll(() => page.getByRole('region', { name: 'Problems' }).isVisible()).toBe(true);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.width);
    expect(await violationsOf(page, screen)).toEqual([]);
    if (screen.width < 800) {
      await page.getByRole('button', { name: 'Data' }).click();
      expect(await data(page).isVisible()).toBe(true);
      expect(await violationsOf(page, screen)).toEqual([]);
    }
    expect(problems).toEqual([]);
    await page.close();
  });
});

test.each([0, 10, 20])(
  'Ctrl-C ends it while a template is inspected, %i ms after its page was opened',
  async (delayMs) => {
    write(`inspected-${delayMs}/letter.docx`, template('Dear {name}'));
    const dev = await start(`inspected-${delayMs}`);
    const cookie = (await fetch(dev.address)).headers.getSetCookie().join().split(';', 1).join();
    const events = await fetch(`${dev.origin}/events`, { headers: { cookie } });
    await pause(delayMs);
    expect(await dev.interrupt(), dev.stderr()).toBe(0);
    expect(dev.stdout(), 'nothing is reported as failed').not.toContain('failed');
    await events.body?.cancel();
  },
);

describe('what others may do', () => {
  test('names, data and tags of the folder never run', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    write(`evil/${evil}.docx`, template('{name} {"<script>alert(2)</script>" | nothing}'));
    write(`evil/${evil}.json`, JSON.stringify({ name: `</textarea><script>alert(3)</script>${evil}` }));
    write('evil/"; alert(4) ;\u2028.docx', template('{name}'));
    const dev = await start('evil');
    const { page, problems } = await open(dev.address, desktop);
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.getByLabel('Template').selectOption(evil);
    await expect.poll(() => page.getByRole('region', { name: 'Problems' }).textContent()).toContain('<script>alert(2)');
    expect(await data(page).inputValue()).toContain('<script>alert(3)');
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img').count()).toBe(1);
    expect([dialogs, problems]).toEqual([0, []]);
    await page.close();
  });

  test('another site, another name, another token and other paths get nothing', async () => {
    write('private/letter.docx', template('Dear {name}'));
    write('private/letter.json', '{"name": "secret"}');
    write('secret.json', '{"name": "outside"}');
    symlinkSync(join(root, 'secret.json'), join(root, 'private/letter.linked.json'));
    const dev = await start('private');
    const { host, port } = new URL(dev.address);
    const token = new URL(dev.address).searchParams.get('token') ?? '';
    const ask = (
      path: string,
      headers: Readonly<Record<string, string>>,
      method = 'GET',
      body = '',
    ): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; text: string }> =>
      new Promise((done, fail) => {
        const sent = request(
          { host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers } },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
          },
        );
        sent.on('error', fail);
        sent.end(method === 'GET' ? '' : body);
      });
    const first = await ask(`/?token=${token}`, {});
    expect(first.status).toBe(200);
    expect(first.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(first.headers['cross-origin-resource-policy']).toBe('same-origin');
    const [set = ''] = first.headers['set-cookie'] as readonly string[];
    expect(set).toMatch(/; HttpOnly; SameSite=Strict$/);
    const cookie = { Cookie: set.split(';')[0] ?? '' };
    const dataPath = '/data?template=letter&name=letter';
    expect((await ask(dataPath, cookie)).text).toContain('secret');
    const save = JSON.stringify({ template: 'letter', name: 'letter', text: '{}', basedOn: null });
    const refused: readonly (readonly [string, Readonly<Record<string, string>>, string?])[] = [
      [dataPath, {}],
      [dataPath, { Cookie: `docmill-dev-${port}=${'a'.repeat(32)}` }],
      [dataPath, { ...cookie, Host: `evil.example:${port}` }],
      [dataPath, { ...cookie, Host: `localhost.evil.example:${port}` }],
      [dataPath, { ...cookie, Origin: 'https://evil.example' }],
      [dataPath, { ...cookie, Origin: 'null' }],
      [dataPath, { ...cookie, 'Sec-Fetch-Site': 'same-site' }],
      ['/events', { ...cookie, 'Sec-Fetch-Site': 'cross-site' }],
      ['/?token=wrong', {}],
      [`/data?token=${token}`, {}],
      ['/data', cookie, 'PUT'],
      ['/data', { ...cookie, Origin: 'http://127.0.0.1:1' }, 'PUT'],
      ['/render', { ...cookie, 'Sec-Fetch-Site': 'cross-site' }, 'POST'],
    ];
    for (const [path, headers, method] of refused) {
      const answer = await ask(path, headers, method, save);
      expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
      expect(answer.text).not.toContain('secret');
    }
    for (const path of [
      '/../secret.json',
      '/..%2fsecret.json',
      '/letter.json',
      '/pages/../../letter.json',
      '//etc/passwd',
    ]) {
      expect((await ask(path, cookie)).status, path).toBe(404);
    }
    const linked = await ask('/data?template=letter&name=letter.linked', cookie);
    expect([linked.status, linked.text]).toEqual([400, expect.stringContaining('leads out of the folder')]);
    const own = { ...cookie, Origin: dev.origin };
    const answers = [
      await ask('/data', own, 'PUT', save),
      await ask('/data', own, 'PUT', '{'),
      await ask('/data', own, 'PUT', JSON.stringify({ template: '../x', name: 'y', text: '', basedOn: null })),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([409, 400, 404]);
    expect(readFileSync(join(root, 'private/letter.json'), 'utf8')).toBe('{"name": "secret"}');
  });
});

test('a folder that is missing and a port that is taken are 2', async () => {
  const service = { url, apiKey: client.apiKey };
  write('ends/letter.docx', template('Dear {name}'));
  expect(await runCli(['dev', join(root, 'nowhere')], service)).toMatchObject({ exitCode: 2 });
  const dev = await start('ends');
  const taken = await runCli(['dev', join(root, 'ends'), '--port', new URL(dev.address).port], service);
  expect(taken).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--port') as string });
});
