import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const phone = { width: 390, scheme: 'light' } as const;

async function openTemplate() {
  const client = await newClient();
  const { id } = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  return { client, id, ...(await open(client.apiKey, { path: `/templates/${id}` })) };
}

/** Stands for Word: the dialog of the browser cannot be driven, so a file of its private file system is chosen. */
async function wordOn(page: Page): Promise<(text: string) => Promise<void>> {
  await page.evaluate(`globalThis.handleOf = async () =>
    (await navigator.storage.getDirectory()).getFileHandle('draft.docx', { create: true });
    globalThis.showOpenFilePicker = async () => [await handleOf()];`);
  return async (text) => {
    const file = buildDocx({ body: paragraph(text) }).toString('base64');
    await page.evaluate(`(async () => {
      const writable = await (await handleOf()).createWritable();
      await writable.write(Uint8Array.from(atob('${file}'), (c) => c.charCodeAt(0)));
      await writable.close();
    })()`);
  };
}

const shownText = (page: Page) => page.locator('.pdf-text').first().textContent();

test('a template page first offers to edit in Word: each save shows new pages, and the last becomes a version', async () => {
  const { page, client, id, close } = await openTemplate();
  const save = await wordOn(page);
  await save('Draft for {name}');
  const offer = page.getByRole('region', { name: 'Edit in Word, see the pages' });
  await offer.getByText('Each time you save it').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await offer.getByText('Choose the Word file, or drop it').click();
  await expect.poll(() => shownText(page)).toContain('Draft for');
  await page.getByText('Save it in Word, and the pages follow.').waitFor();
  await save('Second draft for {name} of {city}');
  await expect.poll(() => shownText(page)).toContain('Second draft for');
  await page.getByLabel('City', { exact: true }).fill('Paris');
  await expect.poll(() => shownText(page)).toContain('of Paris');
  expect(await checkScreens(page)).toEqual([]);
  // Nothing is stored before the user says so.
  const version = async () => (await client.call('GET', `/v1/templates/${id}`)).json<{ version: number }>().version;
  expect(await version()).toBe(1);
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the current version' }).click();
  await expect.poll(version).toBe(2);
  await expect.poll(() => shownText(page)).toContain('of Paris');
  await close();
});

test('a file that the browser cannot read again is asked for after each save', async () => {
  const { page, close } = await openTemplate();
  const choose = (text: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'draft.docx',
      mimeType: 'application/octet-stream',
      buffer: buildDocx({ body: paragraph(text) }),
    });
  await choose('Draft for {name}');
  await expect.poll(() => shownText(page)).toContain('Draft for');
  await page.getByText('Drop or choose it again after you save it').waitFor();
  await choose('Second draft for {name}');
  await expect.poll(() => shownText(page)).toContain('Second draft for');
  await page.getByRole('button', { name: 'Back to the stored template' }).click();
  await expect.poll(() => shownText(page)).toContain('Dear');
  await close();
});

test('on a phone, the pages of a long form are one tap away, and a list shows several templates at once', async () => {
  const client = await newClient();
  const fields = Array.from({ length: 25 }, (_, field) => paragraph(`{field${field}}`)).join('');
  const { id } = await client.template('long.docx', buildDocx({ body: fields }));
  for (const name of ['a.docx', 'b.docx']) await client.template(name, buildDocx({ body: paragraph('{a}') }));
  const { page, close } = await open(client.apiKey, { path: `/templates/${id}/playground`, screen: phone });
  const bottomOf = async (locator: Locator): Promise<number> => {
    const box = await locator.boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
  };
  const height = page.viewportSize()?.height ?? 0;
  const show = page.getByRole('button', { name: 'Show the pages' });
  await expect.poll(() => bottomOf(show)).toBeLessThanOrEqual(height);
  await show.click();
  const pages = page.getByRole('region', { name: /^Preview/ });
  await page.locator('.pdf-page canvas').first().waitFor();
  await expect.poll(async () => (await pages.boundingBox())?.y).toBeLessThan(height / 2);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back to the data' }).click();
  await page.getByLabel('Field0', { exact: true }).waitFor();
  await page.goto(`${url}/console/templates`);
  await loaded(page);
  const cards = page.getByRole('list', { name: 'Templates' }).getByRole('listitem');
  await expect.poll(() => cards.count()).toBe(3);
  await expect.poll(() => bottomOf(cards.last())).toBeLessThanOrEqual(height);
  await close();
});
