import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const hostile = '<img src=x onerror=alert(1)>';

const putWords = (client: Awaited<ReturnType<typeof newClient>>, words: object) =>
  client.call('PUT', '/v1/dictionary', { json: { words } });

const row = (page: Page, key: string) => page.getByRole('row').filter({ has: page.getByText(key, { exact: true }) });

/** Chooses a file with this text in the dialog. */
async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'words.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
}

test('an empty dictionary explains its purpose; words are added, found, changed and deleted', async () => {
  const client = await newClient();
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
  // The browser reports the response that there are no words yet.
  expectFailure(404);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dictionary' }).click();
  await page.getByRole('heading', { name: 'No words yet' }).waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add words' }).click();
  const editor = page.getByRole('textbox', { name: 'Words as JSON' });
  await expect.poll(() => editor.textContent()).toContain('Summe');
  expect(await checkScreens(page)).toEqual([]);
  await choose(page, JSON.stringify({ en: { total: 'Total', greeting: hostile }, de: { total: 'Summe' } }));
  await expect.poll(() => editor.textContent()).toContain('greeting');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => row(page, 'total').textContent()).toBe('totalSummeTotal');
  await expect.poll(() => row(page, 'greeting').textContent()).toBe(`greetingMissing${hostile}`);
  await page.getByText('3 words in 2 languages').waitFor();
  expect((await client.call('GET', '/v1/dictionary')).json()).toMatchObject({ words: { de: { total: 'Summe' } } });

  await page.getByRole('searchbox').fill('summ');
  await expect.poll(() => row(page, 'greeting').count()).toBe(0);
  await expect.poll(() => row(page, 'total').count()).toBe(1);
  await page.getByRole('searchbox').fill('nowhere');
  await page.getByText('No key and no word contains this text.').waitFor();
  expect(await checkScreens(page)).toEqual([]);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete all words' }).click();
  await page.getByRole('heading', { name: 'No words yet' }).waitFor();
  expect((await client.call('GET', '/v1/dictionary')).status).toBe(404);
  await close();
});

test('mistakes in the words are shown, and changes by somebody else are not overwritten', async () => {
  const client = await newClient();
  expect((await putWords(client, { en: { total: 'Total' } })).status).toBe(200);
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/dictionary' });
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, '{"en": {"total": ');
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  expectFailure(400);
  await choose(page, JSON.stringify({ 'not a locale': { total: 'Total' } }));
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'is not a locale' }).waitFor();
  await choose(page, ' '.repeat(1024 * 1024 + 1));
  await dialog.getByRole('alert').filter({ hasText: 'larger than 1 MB' }).waitFor();
  expectFailure(412);
  expect((await putWords(client, { en: { total: 'Sum' } })).status).toBe(200);
  await choose(page, JSON.stringify({ en: { total: 'Amount' } }));
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Somebody else changed it' }).waitFor();
  expect((await client.call('GET', '/v1/dictionary')).json()).toMatchObject({ words: { en: { total: 'Sum' } } });
  await close();
});

test('a read-only key sees the words, and no way to change them', async () => {
  const client = await newClient();
  expect((await putWords(client, { en: { total: 'Total' } })).status).toBe(200);
  const options = { account: client.accountId, name: 'reader', scopes: 'templates:read' };
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', options);
  const { page, close } = await open(apiKey, { path: '/dictionary' });
  await row(page, 'total').waitFor();
  await expect.poll(() => page.locator('main').getByRole('button').allTextContents()).toEqual(['Download']);
  await close();
});

test('templates show what they include, and documents show the versions that they used', async () => {
  const client = await newClient();
  const terms = await client.template('terms.docx', letter('Terms for {name}'));
  const { id } = await client.template('offer.docx', letter('Dear {name}', '{include "terms"}'));
  const made = await client.generate(id, { data: { name: 'Ada' } });
  expect(made.status).toBe(200);
  const { page, close } = await open(client.apiKey, { path: `/templates/${id}` });
  const included = page.getByRole('heading', { name: 'Included templates' }).locator('..');
  await expect.poll(() => included.getByRole('listitem').textContent()).toBe('termsVersion 1');
  await expect.poll(() => included.getByRole('link', { name: 'terms' }).getAttribute('href')).toContain(terms.id);
  expect(await checkScreens(page)).toEqual([]);
  await page.goto(`${url}/console/documents/${made.headers.get('Document-Id')}`);
  await page.getByRole('link', { name: 'terms.docx' }).waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await close();
});
