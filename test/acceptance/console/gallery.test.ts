import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { letter } from '../api/samples.ts';
import { saved } from '../pages/use-browser.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

test('a template of the gallery is previewed, copied with one click, opened in Word, and made into a document', async () => {
  const client = await newClient();
  const { page, close } = await open(client.apiKey);
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByText('Deutsch', { exact: true }).click();

  await page.getByRole('button', { name: 'Preview Rechnung' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rechnung' });
  await expect.poll(() => dialog.locator('.pdf-text').first().textContent()).toContain('Rechnungsbetrag');
  expect(await checkScreens(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect((await client.call('GET', '/v1/templates')).json()).toEqual([]);

  await page.getByRole('button', { name: 'Use this template: Rechnung' }).click();
  await page.getByRole('heading', { name: 'Rechnung.docx', level: 1 }).waitFor();
  await loaded(page);
  const word = await saved(page, () => page.getByRole('button', { name: 'Open in Word' }).click());
  expect(word.name).toBe('Rechnung.docx');

  await page.getByRole('link', { name: 'Open the playground' }).click();
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('20.678,94');
  const pdf = await saved(page, () => page.getByRole('button', { name: 'Generate', exact: true }).click());
  expect(pdf.name).toBe('Rechnung.pdf');
  expect(await pdfText(pdf.bytes)).toContain('Brandt Architekten');
  await close();
});

test('a second copy gets a name of its own, and a read-only key cannot copy', async () => {
  const client = await newClient();
  await client.template('Quotation.docx', letter('My own {quotation}'));
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
  // The name is taken.
  expectFailure(412);
  await page.getByRole('link', { name: 'New from the gallery' }).click();
  await page.getByRole('button', { name: 'Use this template: Quotation' }).click();
  await page.getByRole('heading', { name: 'Quotation 2.docx', level: 1 }).waitFor();
  const listed = (await client.call('GET', '/v1/templates')).json<readonly { name: string; version: number }[]>();
  expect(listed.map(({ name, version }) => `${name} ${version}`).sort()).toEqual([
    'Quotation 2.docx 1',
    'Quotation.docx 1',
  ]);
  await close();

  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: client.accountId,
    scopes: 'templates:read',
  });
  const reader = await open(apiKey, { path: '/templates/gallery' });
  await reader.page.getByRole('button', { name: 'Preview Business letter' }).click();
  await reader.page.getByRole('img', { name: 'First page of Business letter' }).waitFor();
  expect(await reader.page.getByRole('button', { name: /^Use this template/ }).count()).toBe(0);
  await reader.close();
});
