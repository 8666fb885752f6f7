import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const hostile = `<img src=x onerror=alert(1)>.docx`;

async function openConsole() {
  const client = await newClient();
  const { id } = await client.template('contract.docx', letter('Dear {name}'));
  await client.template(hostile, letter('Dear {name}'));
  const output = { filename: 'contract-of-ada.docx' };
  const document = await client.generate(id, { data: { name: 'Ada' }, output });
  const visit = await open(client.apiKey, { path: '/usage' });
  const dialog = visit.page.getByRole('dialog', { name: 'Search and commands' });
  const field = dialog.getByRole('combobox');
  const options = dialog.locator('[role="group"]:not([aria-label="Guide"]) [role="option"]');
  const chosen = () => dialog.getByRole('option', { selected: true }).textContent();
  return {
    ...visit,
    client,
    id,
    documentId: document.headers.get('Document-Id') ?? '',
    dialog,
    field,
    options,
    chosen,
  };
}

test('the command palette finds templates, documents, pages and actions by the keyboard alone', async () => {
  const { page, id, documentId, dialog, field, options, chosen, close } = await openConsole();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await expect.poll(() => field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  await dialog.getByRole('group', { name: 'Recent documents' }).getByText('contract-of-ada.docx').waitFor();
  await expect.poll(() => options.filter({ hasText: hostile }).count()).toBe(1);
  expect(await checkScreens(page)).toEqual([]);

  await field.fill('CONTRACT');
  await expect.poll(() => options.count()).toBe(2);
  await expect.poll(chosen).toContain('contract.docx');
  await page.keyboard.press('ArrowDown');
  await expect.poll(chosen).toContain('contract-of-ada.docx');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain(`/documents/${documentId}`);
  await loaded(page);

  await page.keyboard.press('Control+k');
  await field.fill('contract.docx');
  await expect.poll(chosen).toContain('contract.docx');
  await expect.poll(() => options.count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'contract.docx', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('open play');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain(`/templates/${id}/playground`);

  await page.keyboard.press('Control+k');
  await expect.poll(() => options.filter({ hasText: 'contract.docx' }).count()).toBe(1);
  await field.fill('upload a template');
  await expect.poll(chosen).toContain('Upload a template');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Upload a template' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await close();
});

test('the command palette finds sections of the guide, also by other words for them, and opens them', async () => {
  const { page, dialog, field, chosen, close } = await openConsole();
  await page.keyboard.press('Control+k');
  await field.fill('Schriftart');
  const guide = dialog.getByRole('group', { name: 'Guide' }).getByRole('option');
  await expect.poll(() => guide.count()).toBe(5);
  expect(await checkScreens(page)).toEqual([]);
  await expect.poll(chosen).toMatch(/font/i);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/guide\/(guides|reference)\/.*html/);
  await expect.poll(() => page.title()).toMatch(/Docmill guide$/);
  await close();
});

test('without a guide, the command palette finds everything else', async () => {
  const { page, dialog, field, chosen, expectFailure, close } = await openConsole();
  expectFailure('/guide/search.js');
  await page.route('**/guide/search.js', (route) => route.abort());
  await page.keyboard.press('Control+k');
  await field.fill('contract.docx');
  await expect.poll(chosen).toContain('contract.docx');
  expect(await dialog.getByRole('group', { name: 'Guide' }).count()).toBe(0);
  await close();
});

test('what an older text found is not run for a newer text, however long its search takes', async () => {
  const { page, field, options, chosen, close } = await openConsole();
  await page.keyboard.press('Control+k');
  await expect.poll(() => options.filter({ hasText: 'contract.docx' }).count()).toBe(1);
  await page.route('**/v1/templates?*', () => new Promise(() => {}));
  await field.fill('upload');
  await expect.poll(chosen).toContain('Upload a template');
  await expect.poll(() => options.filter({ hasText: 'contract.docx' }).count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Upload a template' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await close();
});

test('shortcuts open pages, the search of a list and their own list, never while typing, and can be turned off', async () => {
  const { page, close } = await openConsole();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await heading('Documents').waitFor();
  await loaded(page);
  await page.keyboard.press('/');
  await page.keyboard.type('g t?');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('g t?');
  await heading('Documents').waitFor();
  await page.getByRole('searchbox').fill('');
  await heading('Documents').click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Go to a page').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await help.getByLabel('Shortcuts of single keys').uncheck();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
  await expect.poll(() => help.count()).toBe(0);
  await close();
});

test('a key that may not do something is not offered it, and a failed search leaves pages and actions', async () => {
  const { client, close } = await openConsole();
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: client.accountId,
    scopes: 'templates:read',
  });
  await close();
  const visit = await open(apiKey, { path: '/templates' });
  const { page, expectFailure } = visit;
  expectFailure('net::ERR_');
  await page.route('**/v1/templates?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Search and commands' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('could not be searched').waitFor();
  await expect
    .poll(() => dialog.getByRole('option').allTextContents())
    .toEqual([
      'Templates',
      'Pictures',
      'Fonts',
      'Dictionary',
      'Open the guide',
      'Keyboard shortcuts',
      'Colours: Light',
      'Colours: Dark',
      'Sign out',
    ]);
  await visit.close();
});
