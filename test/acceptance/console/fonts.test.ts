import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const family = 'Console Boxes';
const named = buildDocx({
  body: `<w:p><w:r><w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr><w:t>Dear {name}</w:t></w:r></w:p>`,
});
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

test('a font that a template misses is found on its page, uploaded, shown by a sample, and deleted', async () => {
  const client = await newClient();
  const { id } = await client.template('letter.docx', named);
  const { page, close } = await open(client.apiKey, { path: `/templates/${id}` });
  await page.getByRole('link', { name: 'Upload missing fonts' }).first().click();
  await page.getByRole('heading', { name: 'Fonts', level: 1 }).waitFor();
  const missing = page.getByRole('list', { name: 'Missing fonts' }).getByRole('listitem');
  await expect.poll(() => missing.textContent()).toMatch(new RegExp(`${family}.*letter\\.docx`));
  await page.getByRole('list', { name: 'Installed fonts' }).getByRole('listitem').first().waitFor();
  expect(await checkScreens(page)).toEqual([]);

  await choose(page, 'boxes.woff', buildFont({ family }));
  await page.getByRole('alert').filter({ hasText: 'not a .ttf or .otf file' }).waitFor();
  await choose(page, 'boxes.ttf', buildFont({ family }));
  const own = page.getByRole('list', { name: 'Fonts of this account' });
  const sample = own.getByRole('img', { name: `Text in ${family}` });
  const width = () => sample.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth ?? 0);
  await expect.poll(width).toBeGreaterThan(0);
  await page.getByText('The newest template misses no font.').waitFor();
  await choose(page, 'bold.ttf', buildFont({ family, style: 'Bold' }));
  await own.getByText('Bold', { exact: true }).waitFor();
  expect(await checkScreens(page)).toEqual([]);

  await page.getByRole('searchbox').fill('no such font');
  await page.getByText('No installed font has this in its name').waitFor();
  await own.getByRole('button', { name: `Delete ${family}, Regular` }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect.poll(() => own.getByText('Regular', { exact: true }).count()).toBe(0);
  await expect
    .poll(async () => (await client.call('GET', `/v1/fonts?name=${family}`)).json())
    .toMatchObject([{ fonts: [{ style: 'bold' }] }]);
  await close();
});

test('a font that cannot be used is refused with the reason of the service', async () => {
  const client = await newClient();
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/fonts' });
  expectFailure(400);
  await page.locator('.dropzone').waitFor();
  await choose(page, 'restricted.ttf', buildFont({ family, embedding: 2 }));
  await page.getByRole('alert').filter({ hasText: 'embed' }).waitFor();
  await close();
});
