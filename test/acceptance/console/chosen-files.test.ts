import { mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);

test('a chosen file that was saved since then keeps its mistakes on the page until it is chosen again', async () => {
  const { apiKey } = await newClient();
  const { page, expectFailure, close } = await open(apiKey, { path: '/templates' });
  expectFailure(400);
  const path = join(await mkdtemp(join(tmpdir(), 'docmill-chosen-')), 'offer.docx');
  await writeFile(path, buildDocx({ body: paragraph('Dear {customer.name') }));
  // Browsers compare seconds.
  await utimes(path, 1_000, 1_000);
  await page.getByRole('button', { name: 'Upload a template' }).first().click();
  const dialog = page.getByRole('dialog');
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles(path);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByRole('heading', { name: '1 mistake' }).waitFor();
  await writeFile(path, buildDocx({ body: paragraph('Dear {customer.name} of {city}') }));
  await dialog.getByRole('button', { name: 'Check the file again' }).click();
  await dialog.getByText('The browser cannot read the file again').waitFor();
  await expect.poll(() => dialog.getByRole('heading', { name: '1 mistake' }).count()).toBe(1);
  expect(await checkScreens(page)).toEqual([]);
  await file.setInputFiles(path);
  await page.getByRole('heading', { name: 'offer.docx', level: 1 }).waitFor();
  await page.getByText('Version 1 · 2 fields').waitFor();
  await close();
});

test('a file that the browser can read again is checked as it is now', async () => {
  const { apiKey } = await newClient();
  const { page, expectFailure, close } = await open(apiKey, { path: '/templates' });
  expectFailure(400);
  // The dialog of the browser cannot be driven: a file of its private file system stands for the chosen one.
  await page.evaluate(`globalThis.handleOf = async () =>
    (await navigator.storage.getDirectory()).getFileHandle('offer.docx', { create: true });
    globalThis.showOpenFilePicker = async () => [await handleOf()];`);
  const save = (body: string) =>
    page.evaluate(`(async () => {
      const writable = await (await handleOf()).createWritable();
      await writable.write(Uint8Array.from(atob('${buildDocx({ body }).toString('base64')}'), (c) => c.charCodeAt(0)));
      await writable.close();
    })()`);
  await save(paragraph('Dear {customer.name'));
  await page.getByText('Choose a Word file, or drop it here').click();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: '1 mistake' }).waitFor();
  await save(paragraph('Dear {customer.name} of {city}'));
  await dialog.getByRole('button', { name: 'Check the file again' }).click();
  await page.getByRole('heading', { name: 'offer.docx', level: 1 }).waitFor();
  await close();
});
