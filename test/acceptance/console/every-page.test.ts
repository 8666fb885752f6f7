import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { isExtended } from '../../support/extended.ts';
import { formOf } from '../api/form-bodies.ts';
import { address, letter } from '../api/samples.ts';
import { lines, send } from '../batches/batch-client.ts';
import { checkEveryScreen, checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

/** The pages as the console lists them. */
const routes = [
  ...readFileSync('src/console/shell/pages.tsx', 'utf8').matchAll(/^ {2}\[?'(\/[^']*)', (?=\(\) => import)/gm),
].map(([, path = '']) => path);
const lists = routes.filter((route) => !route.includes(':') && !route.endsWith('/new'));
const withPages: ReadonlySet<string> = new Set([
  '/templates/:id',
  '/templates/:id/layout',
  '/templates/:id/playground',
  '/documents/:id',
]);
/** The buttons of a page that open a dialog. */
const dialogsOf: Readonly<Record<string, readonly string[]>> = {
  '/templates': ['Upload a template'],
  '/pictures': ['Upload a picture'],
  '/dictionary': ['Edit', 'Delete'],
  '/templates/:id': ['Replace the file', 'Rename', 'Delete'],
  '/templates/:id/versions': ['Make current: version 1'],
  '/templates/:id/playground': ['Copy as', 'Send by e-mail'],
  '/webhooks': ['Add a webhook'],
  '/webhooks/:id': ['Change', 'New secret', 'Delete'],
};
const hostile = '<img src=x onerror=alert(1)>{{constructor.constructor("alert(1)")()}}';
const long = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(3);

/** The layout shift allowed while a page loads: half of what Core Web Vitals rate as good. */
const maxShift = 0.05;

let client: TestClient;
/** The values of `:id` by the first part of the path. */
const ids = new Map<string, string>();

/**
 * Creates an account with something on every page: hostile names and words, a failed document, an e-mail, a webhook and
 * a batch with a failed row.
 */
beforeAll(async () => {
  client = await newClient();
  const name = `${`${hostile} ${long}`.slice(0, 190)}.docx`;
  const { id } = await client.template(name, letter('Dear {name}', '{#rows}{text}{/rows}'));
  const data = { name: hostile, rows: [{ text: long }] };
  const filename = hostile.replaceAll('/', '');
  const mailed = { data, output: { format: 'docx', filename: `${filename}.docx`, email: { to: [address()] } } };
  const made = await client.generate(id, mailed);
  expect(made.status, made.bytes.toString('utf8')).toBe(200);
  // The service keeps this document, because the response does not carry it. Its page shows the PDF.
  const kept = { data, output: { format: 'pdf', filename: `${filename}.pdf` } };
  const pdf = await client.start(id, kept);
  await client.generate(id, { data: {}, output: { onMissing: 'error' } });
  const events = ['document.succeeded', 'document.failed'];
  const webhook = await client.call('POST', '/v1/webhooks', { json: { url: 'https://docmill.invalid/hook', events } });
  const batch = await send(client, `/v1/templates/${id}/batches?onMissing=error`, lines([data, {}]));
  expect([webhook.status, batch.status]).toEqual([201, 202]);
  const batchId = batch.json<{ id: string }>().id;
  const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const pictureName = `${`${hostile} ${long}`.replaceAll('/', '').slice(0, 190)}.svg`;
  const stored = await client.call('POST', '/v1/assets', {
    body: formOf([
      ['name', pictureName],
      ['file', picture, 'a.svg'],
    ]),
  });
  const font = buildFont({ family: long.slice(0, 60) });
  const uploaded = await client.call('POST', '/v1/fonts', { body: formOf([['file', font, 'font.ttf']]) });
  expect([stored.status, uploaded.status]).toEqual([201, 201]);
  const words = { words: { en: { [hostile]: long }, de: { total: hostile } } };
  expect((await client.call('PUT', '/v1/dictionary', { json: words })).status).toBe(200);
  await operator.run('create-key', { account: client.accountId, name: `${hostile} ${long}`.slice(0, 100) });
  expect((await client.reupload(id, name, letter('Hello {name}', '{#rows}{text}{/rows}'))).status).toBe(200);
  ids.set('templates', id).set('batches', batchId).set('webhooks', webhook.json<{ id: string }>().id);
  ids.set('documents', pdf.json<{ id: string }>().id).set('deliveries', made.headers.get('Email-Delivery-Id') ?? '');
  await vi.waitFor(async () => {
    const job = await client.call('GET', `/v1/jobs/${ids.get('documents')}`);
    const started = await client.call('GET', `/v1/batches/${batchId}`);
    expect(job.json()).toMatchObject({ status: 'succeeded' });
    expect(started.json()).toMatchObject({ status: 'completed', counts: { succeeded: 1, failed: 1 } });
  }, 240_000);
});

const pathOf = (route: string): string =>
  route.replace(':id', () => {
    const id = ids.get(route.split('/')[1] ?? '');
    if (id === undefined || id === '') throw new Error(`The test has no id for ${route}: add it to the account above.`);
    return id;
  });

/** The layout shifts since the page was opened that no input caused, with their scores. */
async function shiftsOf(page: Page): Promise<readonly string[]> {
  const shifts = await page.evaluate<{ score: number; moved: string[] }[]>(`(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    const entries = observer.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput);
    observer.disconnect();
    return entries.map(({ value, sources }) => ({
      score: value,
      moved: sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? 'removed').slice(0, 80)),
    }));
  })()`);
  const total = shifts.reduce((sum, { score }) => sum + score, 0);
  return total <= maxShift ? [] : shifts.map(({ score, moved }) => `${score.toFixed(3)}: ${moved.join(' | ')}`);
}

/** Opens another page without loading the console again. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`${new URL(url).pathname}console${path}`)})`);
  await loaded(page);
}

test('every page of the console is in this test', () => {
  expect(routes).toEqual(expect.arrayContaining(Object.keys(dialogsOf)));
  for (const route of routes) expect(pathOf(route)).not.toContain(':');
});

/** The pages with most of the parts that others have, too; all pages in the extended tests. */
const chosen = routes.filter((route) => isExtended || ['/templates/:id', '/batches/:id', '/webhooks'].includes(route));

test.each(chosen)(
  '%s and its dialogs are accessible on every screen, and hostile names and data are text',
  async (route) => {
    const { page, close } = await open(client.apiKey, { path: pathOf(route) });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).first().textContent())
      .not.toMatch(/does not exist|could not be/);
    if (withPages.has(route)) await page.locator('.pdf-page canvas').first().waitFor();
    expect(await shiftsOf(page)).toEqual([]);
    expect(await checkEveryScreen(page)).toEqual([]);
    for (const name of dialogsOf[route] ?? []) {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
      expect(await checkEveryScreen(page), name).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
    expect(dialogs).toEqual([]);
    await close();
  },
);

test('pages of a new account teach the first step, and are accessible', async () => {
  const { apiKey } = await newClient();
  const { page, expectFailure, close } = await open(apiKey, { path: '/templates' });
  // The account has no dictionary.
  expectFailure(404);
  for (const route of lists) {
    await go(page, route);
    expect(await checkScreens(page), route).toEqual([]);
    expect((await page.locator('main').textContent())?.length, route).toBeGreaterThan(60);
  }
  await close();
});

test('every page shows a lost connection, and trying again works', async () => {
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/no-such-page' });
  expectFailure('net::ERR_');
  // The gallery is part of the console's files.
  for (const route of lists.filter((path) => path !== '/templates/gallery')) {
    await page.route('**/v1/**', (request) => request.abort());
    await go(page, route);
    const alerts = page.getByRole('alert').filter({ hasText: 'does not answer' });
    await alerts.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await alerts.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('alert').count(), { message: route }).toBe(0);
  }
  await close();
});
