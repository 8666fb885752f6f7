import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { saved } from '../pages/use-browser.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, mailbox, url } = await useService(inject('stack'));
const open = useConsole(url);
const folder = useFolder();

const docx = (...paragraphs: string[]) => buildDocx({ body: paragraphs.join('') });
const twoPages = docx(
  paragraph('Dear {customer.name}'),
  paragraph('{#items}'),
  paragraph('Line {text}'),
  paragraph('{/items}'),
  ...Array.from({ length: 90 }, (_, line) => paragraph(`Filler ${line}`)),
);

async function openPlayground() {
  const client = await newClient();
  const { id } = await client.template('letter.docx', twoPages);
  const visit = await open(client.apiKey, { path: `/templates/${id}/playground` });
  await visit.page.locator('.pdf-page canvas').first().waitFor();
  return { ...visit, client, id };
}

const shownText = (page: Page) => page.locator('.pdf-text').first().textContent();

test('the form, the JSON and the pages stay in sync, and the pages keep their position', async () => {
  const { page, close } = await openPlayground();
  await page.locator('.pdf-pages').evaluate((element) => element.scrollTo(0, 900));
  const placeBefore = await page.locator('.pdf-pages').evaluate((element) => element.scrollTop);
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await expect.poll(() => shownText(page)).toContain('Ada Lovelace');
  await expect.poll(() => page.locator('.pdf-pages').evaluate((element) => element.scrollTop)).toBe(placeBefore);

  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Data as JSON' });
  await expect.poll(() => editor.textContent()).toContain('Ada Lovelace');
  await editor.press('ControlOrMeta+a');
  await page.keyboard.insertText('{"customer": {"name": "Grace"}, "items": [{"text": "one"}, {"text": "two"}]');
  await page.getByText('The JSON has a mistake').waitFor();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
  await expect.poll(() => page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.insertText('}');
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace');

  // Text from an input method replaces the selection without a violation of the policy.
  await editor.press('ControlOrMeta+a');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await page.keyboard.insertText('二');
  await expect.poll(() => editor.textContent()).toBe('二');
  await editor.press('ControlOrMeta+z');
  await expect.poll(() => editor.textContent()).toContain('Grace');
  await page.getByRole('button', { name: 'Items 2: move up' }).click();
  await expect.poll(() => shownText(page)).toMatch(/Grace.*two.*one/s);
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

test('generate downloads the PDF with its timings and its receipt, and an e-mail arrives', async () => {
  const { page, client, expectFailure, close } = await openPlayground();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  const { name, bytes } = await saved(page, () => page.getByRole('button', { name: 'Generate' }).click());
  expect([name, bytes.subarray(0, 5).toString()]).toEqual(['letter.pdf', '%PDF-']);
  await page.getByText(/render \d+.*convert \d+/).waitFor();
  await page.getByRole('button', { name: 'Receipt' }).click();
  await expect.poll(() => page.getByRole('dialog').textContent()).toMatch(/[0-9a-f]{64}/);
  await page.getByRole('button', { name: 'Close' }).click();

  const address = `ada-${client.accountId}@example.com`.toLowerCase();
  const other = `bob-${client.accountId}@example.com`.toLowerCase();
  await page.getByRole('button', { name: 'Send by e-mail' }).click();
  const dialog = page.getByRole('dialog');
  const before = await client.quotas();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByText('Name at least one recipient').waitFor();
  const to = dialog.getByLabel('To', { exact: true });
  await expect.poll(() => to.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  expectFailure(400);
  await to.fill(`${address}, not an address`);
  await to.press('Enter');
  await expect
    .poll(() => dialog.getByText('must be a plain e-mail address').allTextContents())
    .toEqual([expect.stringContaining('e-mail address')]);
  expect(await checkScreens(page)).toEqual([]);
  expect(await client.quotas()).toEqual(before);
  await to.fill(`${address}, ${other}`);
  await dialog.getByLabel('Text', { exact: true }).fill('Dear Ada,\nhere it is.');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await mailbox.to(address)).length).toBe(1);
  await expect.poll(async () => (await mailbox.to(other)).length).toBe(1);
  await close();
});

test('the copied curl command makes the same Word file as the button', async () => {
  const { page, client, close } = await openPlayground();
  await page.getByLabel('Format', { exact: true }).first().selectOption('docx');
  await page.getByLabel('Name', { exact: true }).fill("O'Brien $(id)");
  await page.getByRole('button', { name: 'Copy as' }).click();
  const code = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  expect(code).not.toContain(client.apiKey);
  const env = { ...process.env, DOCMILL_API_KEY: client.apiKey };
  await promisify(execFile)('sh', ['-eu', '-c', code], { cwd: folder.path, env });
  await page.getByRole('button', { name: 'Close' }).click();
  const { bytes } = await saved(page, () => page.getByRole('button', { name: 'Generate' }).click());
  expect(folder.read('document.docx').equals(bytes)).toBe(true);
  expect(docxText(bytes)).toContain("O'Brien $(id)");
  await close();
});

test('a dropped file is previewed, and its mistakes are shown with their location', async () => {
  const { page, expectFailure, close } = await openPlayground();
  expectFailure(400);
  const choose = (body: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'new.docx', mimeType: 'application/octet-stream', buffer: docx(body) });
  await choose(paragraph('Fresh text {customer.name} {fresh}'));
  await expect.poll(() => shownText(page)).toContain('Fresh text');
  await page.getByLabel('Fresh', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Back to the stored template' }).click();
  await expect.poll(() => shownText(page)).toContain('Dear');
  await choose(paragraph('Broken {#list} text'));
  await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/list.*In: body/s);
  await close();
});

test('the text matches the pages even if the user scrolls while they are drawn', async () => {
  const { page, close } = await openPlayground();
  await expect.poll(() => shownText(page)).toContain('Dear');
  await page.evaluate(`new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some(({ tagName }) => tagName === 'CANVAS')))
      document.querySelector('.pdf-pages').dispatchEvent(new Event('scroll'));
  }).observe(document.querySelector('.pdf-pages'), { childList: true, subtree: true })`);
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await expect.poll(() => shownText(page)).toContain('Ada Lovelace');
  await close();
});
