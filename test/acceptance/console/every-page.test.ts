import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from '../api/samples.ts';
import { lines, ndjson } from '../batches/batch-client.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

/** The pages as the console lists them. */
const routes = [
  ...readFileSync('src/console/shell/pages.tsx', 'utf8').matchAll(/^ {2}\[?'(\/[^']*)', (?=\(\) => import)/gm),
].map(([, path = '']) => path);
const lists = routes.filter((route) => !route.includes(':') && !route.endsWith('/new'));
const hostile = '<img src=x onerror=alert(1)>{{constructor.constructor("alert(1)")()}}';
const long = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(3);

let client: TestClient;
/** What `:id` is below the first part of a path. */
const ids = new Map<string, string>();

/** An account with something on every page: hostile names, a failed document, a mail, a webhook and a batch with a failed row. */
beforeAll(async () => {
  client = await newClient();
  const name = `${hostile} ${long}`.slice(0, 190);
  const { id } = await client.template(`${name}.docx`, letter('Dear {name}', '{#rows}{text}{/rows}'));
  const data = { name: hostile, rows: [{ text: long }] };
  const output = { filename: `${hostile.replaceAll('/', '')}.docx`, email: { to: [address()] } };
  const made = await client.generate(id, { data, output });
  expect(made.status, made.bytes.toString('utf8')).toBe(200);
  await client.generate(id, { data: {}, output: { onMissing: 'error' } });
  const events = ['document.succeeded', 'document.failed'];
  const webhook = await client.call('POST', '/v1/webhooks', { json: { url: 'https://example.com/hook', events } });
  const rows = lines([{ data }, { data: { name: {} } }]);
  const batch = await client.call('POST', `/v1/templates/${id}/batches`, { body: rows, headers: ndjson });
  expect([webhook.status, batch.status]).toEqual([201, 202]);
  const batchId = batch.json<{ id: string }>().id;
  await operator.run('create-key', { account: client.accountId, name: `${hostile} ${long}`.slice(0, 100) });
  ids.set('templates', id).set('batches', batchId);
  ids
    .set('documents', made.headers.get('Document-Id') ?? '')
    .set('deliveries', made.headers.get('Email-Delivery-Id') ?? '');
  ids.set('webhooks', webhook.json<{ id: string }>().id);
}, 300_000);

const pathOf = (route: string): string =>
  route.replace(':id', () => {
    const id = ids.get(route.split('/')[1] ?? '');
    if (id === undefined || id === '') throw new Error(`The test has no id for ${route}: add it to the account above.`);
    return id;
  });

/** Opens another page without loading the console again. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`${new URL(url).pathname}console${path}`)})`);
  await loaded(page);
}

test('every page of the console is in this test', () => {
  expect(routes).toContain('/templates');
  for (const route of routes) expect(pathOf(route)).not.toContain(':');
});

test.each(routes)('%s is accessible on every screen, and hostile names and data are text', async (route) => {
  const { page, close } = await open(client.apiKey, { path: pathOf(route) });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await page.getByRole('heading', { level: 1 }).first().textContent()).not.toMatch(
    /does not exist|could not be/,
  );
  expect(await checkScreens(page)).toEqual([]);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(dialogs).toEqual([]);
  await close();
});

test('pages of a new account teach the first step, and are accessible', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open(apiKey, { path: '/templates' });
  for (const route of lists) {
    await go(page, route);
    expect(await checkScreens(page), route).toEqual([]);
    expect((await page.locator('main').textContent())?.length, route).toBeGreaterThan(60);
  }
  await close();
});

test('a lost connection is said on every page, and trying again works', async () => {
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/no-such-page' });
  expectFailure('net::ERR_');
  for (const route of lists) {
    await page.route('**/v1/**', (request) => request.abort());
    await go(page, route);
    const alert = page.getByRole('alert').filter({ hasText: 'does not answer' }).first();
    await alert.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.getByRole('alert').count(), { message: route }).toBe(0);
  }
  await close();
});
