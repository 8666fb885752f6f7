import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { violationsOf } from '../pages/use-browser.ts';
import { useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const wide = { width: 1280, scheme: 'light' } as const;
const focused = `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`;
const isFocusInDialog = `document.querySelector('dialog:modal')?.contains(document.activeElement) ?? false`;

test('every dialog takes the focus, and gives it back to the control that opened it', async () => {
  const client = await newClient();
  const { id } = await client.template('contract.docx', letter('Dear {name}'));
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
  // The account has no dictionary.
  expectFailure('/v1/dictionary');
  const buttons: readonly (readonly [path: string, names: readonly string[]])[] = [
    ['/templates', ['Upload a template', 'Search and commands (Ctrl+K)']],
    [`/templates/${id}`, ['Replace the file', 'Rename', 'Delete']],
    ['/pictures', ['Upload a picture']],
    ['/dictionary', ['Add words']],
    ['/webhooks', ['Add a webhook']],
  ];
  for (const [path, names] of buttons) {
    await page.goto(`${url}/console${path}`);
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: true }).first();
      await button.click();
      await page.getByRole('dialog').waitFor();
      await expect.poll(() => page.evaluate(isFocusInDialog), { message: name }).toBe(true);
      expect(await violationsOf(page, wide), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(focused), { message: name }).toBe(name);
    }
  }
  await close();
});

test('a dialog whose control is gone gives the focus to the content of the page', async () => {
  const client = await newClient();
  const { page, close } = await open(client.apiKey, { path: '/usage' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
  await close();
});

test('a taken name is explained, and the file becomes its next version only if the author says so', async () => {
  const client = await newClient();
  const { id } = await client.template('contract.docx', letter('Dear {name}'));
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
  expectFailure(412);
  await page.getByRole('button', { name: 'Upload a template' }).first().click();
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from(letter('Hello {name}'));
  const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  await dialog.locator('input[type=file]').setInputFiles({ name: 'contract.docx', mimeType, buffer });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await dialog.getByText('You already have a template with the name contract.docx. Nothing was stored.').waitFor();
  expect(await violationsOf(page, wide)).toEqual([]);
  const listed = async () => (await client.call('GET', '/v1/templates')).json<{ id: string; version: number }[]>();
  expect(await listed()).toMatchObject([{ id, version: 1 }]);
  await dialog.getByRole('button', { name: 'Make it the next version' }).click();
  await page.getByText('contract.docx is uploaded as version 2.').waitFor();
  expect(await listed()).toMatchObject([{ id, version: 2 }]);
  await close();
});
