import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { useFolder } from '../../support/folder.ts';
import { checkOn, desktop, screens, useBrowser, violationsOf } from '../pages/use-browser.ts';
import { startForwarder } from './forwarder.ts';
import { cliEnv, type RunningDev, runCli, spawnCli, startDev } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const root = useFolder();
const running: RunningDev[] = [];
const open = useBrowser((address) => /^(http:\/\/127\.0\.0\.1:|blob:)/.test(address), 'load');
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
let client: TestClient;

beforeAll(async () => {
  client = await newClient({ docs: 0, templates: 5 });
});
afterEach(async () => {
  for (const dev of running.splice(0)) {
    dev.interrupt();
    expect((await dev.ended).exitCode, dev.stderr()).toBe(0);
  }
});

/** A template whose pages begin with these texts. */
const template = (...pages: readonly string[]): Buffer =>
  buildDocx({ body: pages.map((words) => paragraph(words)).join(pageBreak) });

/** Writes `letter.docx` and, if there is data, `letter.json` to a folder. Returns the path of the data. */
function writeLetter(folder: string, pages: readonly string[], data?: string): string {
  root.write(`${folder}/letter.docx`, template(...pages));
  return data === undefined ? root.at(`${folder}/letter.json`) : root.write(`${folder}/letter.json`, data);
}

async function start(folder: string, service = { url, apiKey: client.apiKey }): Promise<RunningDev> {
  const dev = await startDev(root.at(folder), service);
  running.push(dev);
  return dev;
}

/** Starts the command for a folder and opens its page; returns what the tests see of it. */
async function show(folder: string, service?: { readonly url: string; readonly apiKey: string }) {
  const dev = await start(folder, service);
  const { page, problems } = await open(dev.address, desktop);
  return {
    ...{ dev, page, problems },
    texts: () => page.locator('#pages .page p').allTextContents(),
    data: page.getByRole('textbox', { name: /^Data [^o]/ }),
    mistakes: page.getByRole('region', { name: 'Problems' }),
  };
}

const scrolled = (page: Page): Promise<number> => page.evaluate<number>('document.getElementById("pages").scrollTop');
const drawn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('#pages canvas');
    if (canvas === null || canvas.width === 0) return false;
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value, index) => index % 4 < 3 && value < 100);
  })()`);

test('a saved template and saved data are shown at once; page, position and zoom stay', async () => {
  const file = writeLetter('letters', ['Dear {name}', 'Second page', 'Third page'], '{"name": "Ada"}');
  root.write('letters/~$letter.docx', 'lock file of Word');
  const { dev, page, problems, texts, data } = await show('letters');
  await expect.poll(texts).toEqual(['Dear Ada', 'Second page', 'Third page']);
  await expect.poll(() => drawn(page)).toBe(true);
  await expect.poll(() => page.locator('#status').textContent()).toMatch(/^3 pages in \d+ ms$/);
  expect(page.url(), 'the token is not in the address').not.toContain('token');

  await page.getByRole('button', { name: 'Larger' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => page.locator('#position').textContent()).toBe('Page 2 of 3');
  await page.locator('#pages').evaluate((pages) => pages.scrollBy(0, 123));
  const before = await scrolled(page);
  const zoom = await page.locator('#fit').textContent();
  expect(before).toBeGreaterThan(1_000);

  // Editors save in this way: a new file replaces the old one.
  const saved = root.write('letters/.letter.tmp', template('Hello {name}', 'Second page, longer', 'Third page'));
  renameSync(saved, root.at('letters/letter.docx'));
  await expect.poll(texts).toEqual(['Hello Ada', 'Second page, longer', 'Third page']);
  await expect.poll(() => scrolled(page)).toBe(before);
  writeFileSync(file, '{"name": "Grace"}');
  await expect.poll(texts).toContain('Hello Grace');
  await expect.poll(() => data.inputValue()).toBe('{"name": "Grace"}');
  await page.reload();
  await expect.poll(texts).toContain('Hello Grace');
  await expect.poll(() => scrolled(page)).toBe(before);
  await expect.poll(() => page.locator('#fit').textContent()).toBe(zoom);
  expect(problems).toEqual([]);
  await page.close();

  expect((await client.call('GET', '/v1/templates')).json()).toEqual([]);
  await expect.poll(dev.stdout).toMatch(/^\d\d:\d\d:\d\d {2}letter \/ letter: 3 pages in \d+ ms$/m);
});

describe('mistakes', () => {
  test('an error shows tag, part, context and hint above the last good pages, and disappears once corrected', async () => {
    const file = writeLetter('errors', ['Dear {name}'], '{"name": "Ada"}');
    const { dev, page, problems, texts, data, mistakes } = await show('errors');
    await expect.poll(texts).toEqual(['Dear Ada']);
    writeLetter('errors', ['Dear {name} {%barcode name "none"}']);
    await expect.poll(() => mistakes.textContent()).toContain('none');
    await expect
      .poll(() => mistakes.getByRole('term').allTextContents())
      .toEqual(expect.arrayContaining(['Tag', 'Part', 'Context', 'Hint']));
    await expect.poll(() => mistakes.locator('mark').textContent()).toContain('{%barcode name "none"}');
    expect(await texts(), 'the last pages stay').toEqual(['Dear Ada']);
    expect(await violationsOf(page, desktop)).toEqual([]);
    await expect.poll(dev.stdout).toContain('barcode');

    writeLetter('errors', ['Dear {name | upper} of {city}']);
    await expect.poll(texts).toEqual(['Dear ADA of']);
    await expect.poll(() => mistakes.textContent()).toContain('{city}');
    await expect.poll(() => mistakes.locator('li').getAttribute('class')).toBe('warning');

    writeFileSync(file, '{\n  "name": "Ada",\n  "city" "London"\n}');
    await expect.poll(() => mistakes.textContent()).toContain('not valid JSON');
    // The data of the file arrives in a separate response.
    await expect.poll(() => data.inputValue()).toContain('London');
    await mistakes.getByRole('button', { name: /^Line 3, column \d+$/ }).click();
    await expect.poll(() => data.evaluate((area: { selectionStart: number }) => area.selectionStart)).toBe(28);
    writeFileSync(file, '{"name": "Ada", "city": "London"}');
    await expect.poll(texts).toEqual(['Dear ADA of London']);
    await expect.poll(() => mistakes.isHidden()).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('an unreachable service is reported, and the page recovers when it is back', async () => {
    const file = writeLetter('lost', ['Dear {name}'], '{"name": "Ada"}');
    const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
    const { page, texts } = await show('lost', { url: `http://127.0.0.1:${proxy.port}`, apiKey: client.apiKey });
    await expect.poll(texts).toEqual(['Dear Ada']);
    await proxy.refuse();
    writeFileSync(file, '{"name": "Grace"}');
    await expect.poll(() => page.locator('#status').textContent()).toContain('The service cannot be reached');
    expect(await texts()).toEqual(['Dear Ada']);
    await proxy.heal();
    await expect.poll(texts).toEqual(['Dear Grace']);
    await page.close();
    await proxy.close();
  });

  test('a wrong key is reported with advice', async () => {
    writeLetter('key', ['Dear {name}'], '{"name": "Ada"}');
    const { dev, page, mistakes } = await show('key', { url, apiKey: 'dts_wrong' });
    await expect.poll(() => mistakes.textContent()).toContain('docmill login');
    expect(dev.stdout() + dev.stderr()).not.toContain('dts_wrong');
    await page.close();
  });
});

describe('data', () => {
  test('can be edited beside the pages, and are saved on request', async () => {
    writeLetter('edited', ['Dear {name}'], '{"name": "Ada", "id": 12345678901234567890}\n');
    const { page, problems, texts, data } = await show('edited');
    await expect.poll(texts).toEqual(['Dear Ada']);
    await data.fill('{"name": "Grace",}');
    await expect.poll(() => page.locator('#data-problem').textContent()).toMatch(/not valid JSON.*Line 1, column 18/);
    expect(root.text('edited/letter.json'), 'nothing is saved by itself').toContain('Ada');
    await data.fill('{"name": "Grace", "id": 12345678901234567890}\n');
    await data.press('Control+s');
    await expect.poll(texts).toEqual(['Dear Grace']);
    await expect.poll(() => root.text('edited/letter.json')).toBe('{"name": "Grace", "id": 12345678901234567890}\n');
    expect(root.list('edited')).toEqual(['letter.docx', 'letter.json']);
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

    await data.fill('{"name": "never saved"}');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(() => data.inputValue()).toBe('{"name": "never saved"}');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => data.inputValue()).toContain('Grace');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a file that changed at the same time is not overwritten: both are offered', async () => {
    const file = writeLetter('both', ['Dear {name}'], '{"name": "Ada"}');
    const { page, texts, data } = await show('both');
    await expect.poll(() => data.inputValue()).toBe('{"name": "Ada"}');
    await data.fill('{"name": "mine"}');
    writeFileSync(file, '{"name": "theirs"}');
    const other = page.getByRole('textbox', { name: 'The data on disk' });
    await expect
      .poll(async () => [await other.inputValue(), await data.inputValue()])
      .toEqual(['{"name": "theirs"}', '{"name": "mine"}']);
    expect(await violationsOf(page, desktop)).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine and save' }).click();
    await expect.poll(() => root.text('both/letter.json')).toBe('{"name": "mine"}');
    await expect.poll(texts).toEqual(['Dear mine']);

    await data.fill('{"name": "mine again"}');
    writeFileSync(file, '{"name": "newest"}');
    await page.getByRole('button', { name: 'Take the file' }).click();
    await expect.poll(() => data.inputValue()).toBe('{"name": "newest"}');
    expect(root.text('both/letter.json')).toBe('{"name": "newest"}');
    await page.close();
  });

  test('start with an example, which can be saved, for a template without data', async () => {
    writeLetter('fresh', ['Dear {customer.name}']);
    const { page, data } = await show('fresh');
    await expect.poll(() => data.inputValue()).toMatch(/"customer": \{\s+"name": /);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => root.list('fresh')).toContain('letter.json');
    await page.close();
  });
});

test('templates and cases of a project are chosen, and appear when they are added', async () => {
  root.write('project/docmill.json', '{"test": {"output": {"locale": "de-DE"}}}');
  for (const name of ['bill', 'letter'])
    root.write(`project/templates/${name}.docx`, template(`${name} {sum | number:2}`));
  root.write('project/cases/bill/small.json', '{"sum": 1.5}');
  root.write('project/cases/bill/large.json', '{"sum": 1500}');
  root.write('project/cases/letter/one.json', '{"sum": 7}');
  const { page, texts, mistakes } = await show('project');
  const cases = page.getByRole('combobox', { name: 'Data' });
  await expect.poll(texts).toEqual(['bill 1.500,00']);
  await cases.selectOption('small');
  await expect.poll(texts).toEqual(['bill 1,50']);
  await page.getByLabel('Template').selectOption('letter');
  await expect.poll(texts).toEqual(['letter 7,00']);
  root.write('project/cases/letter/two.json', '{"sum": 8}');
  await expect.poll(() => cases.locator('option').allTextContents()).toContain('two');
  root.write('project/docmill.json', '{');
  await expect.poll(() => mistakes.textContent()).toContain('docmill.json is not valid JSON');
  root.write('project/docmill.json', '{"delimiters": "<< >>"}');
  root.write('project/templates/letter.docx', template('<<sum | number:1>> of {sum}'));
  await expect.poll(texts).toEqual(['7.0 of {sum}']);
  await page.close();
});

test('the page is accessible on every screen, and nothing leaves the screen', async () => {
  writeLetter('screens', ['Dear {name}, welcome to {city}', 'Second page'], '{\n  "name": "Ada"\n}\n');
  const { page, problems, texts, data, mistakes } = await show('screens');
  await expect.poll(texts).toEqual(['Dear Ada, welcome to', 'Second page']);
  await expect.poll(() => mistakes.isVisible()).toBe(true);
  expect(await checkOn(page, screens)).toEqual([]);
  await page.getByRole('button', { name: 'Data' }).click();
  await expect.poll(() => data.isVisible()).toBe(true);
  expect(
    await checkOn(
      page,
      screens.filter(({ width }) => width < 800),
    ),
  ).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

test('a port that is in use exits with 2', async () => {
  writeLetter('ends', ['Dear {name}']);
  const { port } = new URL((await start('ends')).address);
  const run = { cwd: root.path, env: cliEnv(root.path, { url, apiKey: client.apiKey }) };
  const stderr = expect.stringContaining('Choose another with --port');
  expect(await runCli(`dev ends --port ${port}`, run)).toMatchObject({ exitCode: 2, stderr });
});

test('Ctrl-C ends the process while a template is inspected, and nothing is reported as failed', async () => {
  writeLetter('inspected', ['Dear {name}']);
  let end = (): unknown => undefined;
  const forwarder = await startForwarder(url, { request: () => end() });
  const env = cliEnv(root.path, { url: forwarder.url, apiKey: client.apiKey });
  const run = await spawnCli('dev inspected', { cwd: root.path, env }, (child) => {
    end = () => child.kill('SIGINT');
    /** Opens the page, which inspects its template. The process may end before it has responded. */
    const visit = async (address: string): Promise<void> => {
      const cookie = (await fetch(address)).headers.getSetCookie().join().split(';', 1).join();
      await (await fetch(new URL('/events', address), { headers: { cookie } })).text();
    };
    child.stdout?.on('data', (printed: string) => {
      const address = /http:\S+token=\S+/.exec(printed)?.[0];
      if (address !== undefined) visit(address).catch(() => undefined);
    });
  });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).not.toContain('failed');
  await forwarder.close();
});

describe('what others can do', () => {
  test('names, data and tags of the folder never run', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    root.write(`evil/${evil}.docx`, template('{name} {"<script>alert(2)</script>" | nothing}'));
    root.write(`evil/${evil}.json`, JSON.stringify({ name: `</textarea><script>alert(3)</script>${evil}` }));
    root.write('evil/"; alert(4) ;\u2028.docx', template('{name}'));
    const { page, problems, data, mistakes } = await show('evil');
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.getByLabel('Template').selectOption(evil);
    await expect.poll(() => mistakes.textContent()).toContain('<script>alert(2)');
    await expect.poll(() => data.inputValue()).toContain('<script>alert(3)');
    await expect
      .poll(async () => [await page.locator('script').count(), await page.locator('img').count()])
      .toEqual([1, 1]);
    expect([dialogs, problems]).toEqual([0, []]);
    await page.close();
  });

  test('another site, another name, another token and other paths get nothing', async () => {
    writeLetter('private', ['Dear {name}'], '{"name": "secret"}');
    symlinkSync(root.write('secret.json', '{"name": "outside"}'), root.at('private/letter.linked.json'));
    const dev = await start('private');
    const { host, port, searchParams } = new URL(dev.address);
    const token = searchParams.get('token') ?? '';
    type Headers = Readonly<Record<string, string>>;
    const ask = async (path: string, headers: Headers, method = 'GET', body = '') => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers } });
      sent.end(method === 'GET' ? '' : body);
      const answer = await new Promise<IncomingMessage>((done, fail) => sent.on('response', done).on('error', fail));
      return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
    };
    const first = await ask(`/?token=${token}`, {});
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
      ),
      'cross-origin-resource-policy': 'same-origin',
      'set-cookie': [expect.stringMatching(/; HttpOnly; SameSite=Strict$/)],
    });
    const cookie = { Cookie: first.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
    const data = '/data?template=letter&name=letter';
    expect((await ask(data, cookie)).text).toContain('secret');
    const save = JSON.stringify({ template: 'letter', name: 'letter', text: '{}', basedOn: null });
    const refused: readonly (readonly [string, Headers, string?])[] = [
      [data, {}],
      [data, { Cookie: `docmill-dev-${port}=${'a'.repeat(32)}` }],
      [data, { ...cookie, Host: `evil.example:${port}` }],
      [data, { ...cookie, Host: `localhost.evil.example:${port}` }],
      [data, { ...cookie, Origin: 'https://evil.example' }],
      [data, { ...cookie, Origin: 'null' }],
      [data, { ...cookie, 'Sec-Fetch-Site': 'same-site' }],
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
    const outside = ['/../secret.json', '/..%2fsecret.json', '/pages/../../letter.json', '//etc/passwd'];
    for (const path of ['/letter.json', ...outside]) expect((await ask(path, cookie)).status, path).toBe(404);
    const linked = await ask('/data?template=letter&name=letter.linked', cookie);
    expect(linked).toMatchObject({ status: 400, text: expect.stringContaining('leads out of the folder') });
    const own = { ...cookie, Origin: dev.origin };
    expect((await ask('/data', own, 'PUT', save)).status).toBe(409);
    expect((await ask('/data', own, 'PUT', '{')).status).toBe(400);
    expect((await ask('/data', own, 'PUT', save.replace('letter', '../x'))).status).toBe(404);
    expect(root.text('private/letter.json')).toBe('{"name": "secret"}');
  });
});
