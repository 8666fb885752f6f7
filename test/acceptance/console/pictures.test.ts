import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { formOf } from '../api/form-bodies.ts';
import { letter } from '../api/samples.ts';
import { saved } from '../pages/use-browser.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const logo = readFileSync('tools/pictures/logo.png');
const square = (color: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${color}"/></svg>`,
  );
const red = square('#c00');

interface Asset {
  readonly id: string;
  readonly name: string;
  readonly size: number;
}

async function store(client: TestClient, name: string, file: Buffer): Promise<Asset> {
  const answer = await client.call('POST', '/v1/assets', {
    body: formOf([
      ['name', name],
      ['file', file, name],
    ]),
  });
  return answer.json<Asset>();
}
const assetsOf = async (client: TestClient) => (await client.call('GET', '/v1/assets')).json<readonly Asset[]>();
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Pictures' }).getByRole('listitem').filter({ hasText: name });
const choose = (page: Page, name: string, buffer: Buffer) =>
  page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('a logo is uploaded, shown, replaced, renamed, downloaded and deleted', async () => {
  const client = await newClient();
  const { page, close } = await open(client.apiKey, { path: '/templates' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pictures' }).click();
  await page.getByRole('heading', { name: 'No pictures yet' }).waitFor();
  await page.getByRole('button', { name: 'Upload a picture' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('at most 5 MB').waitFor();
  await choose(page, 'big.png', Buffer.alloc(5 * 1024 * 1024 + 1));
  await dialog.getByRole('alert').filter({ hasText: 'larger than 5 MB' }).waitFor();
  await choose(page, 'logo.png', logo);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await card(page, 'logo.png').locator('img').waitFor();
  const [first] = await assetsOf(client);
  expect(first).toMatchObject({ name: 'logo.png', size: logo.length });
  expect(await checkScreens(page)).toEqual([]);

  // A second upload of the same name says that it replaces the first.
  await page.getByRole('button', { name: 'Upload a picture' }).click();
  await choose(page, 'logo.png', red);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'There is a picture with the name logo.png' }).waitFor();
  expect(await assetsOf(client)).toEqual([first]);
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => assetsOf(client)).toMatchObject([{ id: first?.id, size: red.length }]);

  await page.getByRole('button', { name: 'Replace logo.png' }).click();
  await choose(page, 'other-name.png', logo);
  await dialog.getByRole('button', { name: 'Replace it' }).click();
  await expect.poll(() => assetsOf(client)).toMatchObject([{ id: first?.id, name: 'logo.png', size: logo.length }]);

  await store(client, 'taken.svg', red);
  await page.getByRole('button', { name: 'Rename logo.png' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('taken.svg');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Another picture has the name' }).waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('company.png');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await card(page, 'company.png').waitFor();
  const names = async () => (await assetsOf(client)).map(({ name }) => name).sort();
  await expect.poll(names).toEqual(['company.png', 'taken.svg']);

  const { name, bytes } = await saved(page, () => page.getByRole('button', { name: 'Download company.png' }).click());
  expect([name, bytes.equals(logo)]).toEqual(['company.png', true]);
  await page.getByRole('button', { name: 'Delete company.png' }).click();
  await dialog.getByText('the service does not know who uses it').waitFor();
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect.poll(() => card(page, 'company.png').count()).toBe(0);
  await expect.poll(names).toEqual(['taken.svg']);
  await close();
});

test('a picture in the playground is a chosen file or a stored picture, and is drawn on the page', async () => {
  const client = await newClient();
  await store(client, 'logo.svg', red);
  const { id } = await client.template('letter.docx', letter('{%logo}', 'Dear {name}'));
  const { page, close } = await open(client.apiKey, { path: `/templates/${id}/playground` });
  await page.locator('.pdf-page canvas').first().waitFor();
  const data = async () => {
    const sent = page.waitForRequest((request) => request.url().endsWith('/preview'));
    return async () => JSON.parse((await sent).postData() ?? '{}') as { data: Record<string, unknown> };
  };
  let sent = await data();
  await page.getByRole('button', { name: 'Pick a stored picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stored pictures' });
  await dialog.locator('img').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'logo.svg' }).click();
  expect((await sent()).data.logo).toEqual({ asset: 'logo.svg' });
  await expect.poll(() => page.getByLabel('Logo', { exact: true }).inputValue()).toBe('logo.svg');

  sent = await data();
  await page.locator('.picture-input input[type=file]').setInputFiles({ name: 'a.png', mimeType: '', buffer: logo });
  expect((await sent()).data.logo === logo.toString('base64')).toBe(true);
  await expect
    .poll(() => page.locator('.picture-input img').evaluate((img) => (img as { naturalWidth?: number }).naturalWidth))
    .toBeGreaterThan(0);
  await expect.poll(() => page.locator('.preview-status').getAttribute('data-state')).toBe('shown');
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

test('a read-only key sees the pictures, and no way to change them', async () => {
  const client = await newClient();
  await store(client, 'logo.png', logo);
  const options = { account: client.accountId, name: 'reader', scopes: 'templates:read' };
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', options);
  const { page, close } = await open(apiKey, { path: '/pictures' });
  await card(page, 'logo.png').waitFor();
  const labels = page.locator('main').getByRole('button');
  await expect
    .poll(() => labels.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent)))
    .toEqual(['Copy reference', 'Download logo.png']);
  await close();
});
