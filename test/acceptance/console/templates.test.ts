import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { uploadForm } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { saved } from '../pages/use-browser.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const hostile = `<img src=x onerror=alert(1)> "&quot; ' {{7*7}} %3Cscript%3E.docx`;
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const fileOf = (name: string, body: string) => ({ name, mimeType: wordType, buffer: buildDocx({ body }) });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

/** Drops a file on the page, as a user does from a folder. */
async function drop(page: Page, { name, buffer }: ReturnType<typeof fileOf>): Promise<void> {
  const parts = [buffer.toString('base64'), name, wordType].map((part) => JSON.stringify(part));
  const transfer = await page.evaluateHandle(`(([content, name, type]) => {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type }));
    return data;
  })([${parts.join()}])`);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('#content', type, { dataTransfer: transfer });
}

/** The marked paragraphs of one tag whose text reaches beyond its mark, and braces would be cut. */
async function uncoveredTags(page: Page): Promise<unknown> {
  return await page.evaluate(`[...document.querySelectorAll('.pdf-text span')].flatMap((span) => {
    if (!/^\\{\\{.*\\}\\}$/.test(span.textContent)) return [];
    const text = span.getBoundingClientRect();
    const covers = (mark) => mark.top <= text.top + 2 && mark.bottom >= text.bottom - 2 &&
      mark.left <= text.left + 1 && mark.right >= text.right - 1;
    const marks = [...document.querySelectorAll('.pdf-mark')].map((mark) => mark.getBoundingClientRect());
    return marks.some(covers) ? [] : [span.textContent + JSON.stringify([text, marks])];
  })`);
}

/** The different opacities, 0 to 255, of the pixels of each picture that lies over a compared page. */
async function markOpacities(page: Page): Promise<unknown> {
  return await page.evaluate(`Promise.all([...document.querySelectorAll('img.marks')].map(async (image) => {
    await image.decode();
    const size = { width: image.naturalWidth, height: image.naturalHeight };
    const context = Object.assign(document.createElement('canvas'), size).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, size.width, size.height);
    return [...new Set(data.filter((_, index) => index % 4 === 3))].sort((a, b) => a - b);
  }))`);
}

describe('the list', () => {
  test('shows a new account the first step, and a template of the gallery becomes its first', async () => {
    const { apiKey } = await newClient();
    const { page, close } = await open(apiKey);
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    expect(await checkScreens(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use this template: Invoice' }).click();
    await heading(page, 'Invoice.docx').waitFor();
    await loaded(page);
    await page.locator('.template-pages canvas').first().waitFor();
    expect(await checkScreens(page)).toEqual([]);
    await close();
  });

  test('a search appears in the address, and a hostile name is only text', async () => {
    const client = await newClient();
    await client.template(hostile, buildDocx({ body: paragraph('{a}') }));
    await client.template('letter.docx', buildDocx({ body: paragraph('{a}') }));
    const { page, close } = await open(client.apiKey, { path: '/templates' });
    const cards = page.getByRole('list', { name: 'Templates' }).getByRole('listitem');
    await expect.poll(() => cards.count()).toBe(2);
    // The pictures show their first pages.
    await expect.poll(() => page.locator('.thumbnail img').count()).toBe(2);
    await page.getByRole('searchbox').fill('onerror');
    await expect.poll(() => cards.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('onerror');
    await page.getByRole('link', { name: hostile }).click();
    await heading(page, hostile).waitFor();
    await loaded(page);
    expect(await checkScreens(page)).toEqual([]);
    await page.goBack();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('onerror');
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByRole('heading', { name: 'No template has this in its name' }).waitFor();
    await close();
  });

  test('a read-only key sees the templates and no way to change them', async () => {
    const { accountId, template } = await newClient();
    const { id } = await template('letter.docx', buildDocx({ body: paragraph('{a}') }));
    const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
      account: accountId,
      scopes: 'templates:read',
    });
    const { page, close } = await open(apiKey, { path: `/templates/${id}` });
    await heading(page, 'letter.docx').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Rename|Delete|Replace/ }).count()).toBe(0);
    await page.getByText('A key with the scope generate may.').waitFor();
    await close();
  });
});

describe('an upload', () => {
  test('is refused before it is sent if it is not a .docx; mistakes are marked on the pages, and the corrected file is stored', async () => {
    const { apiKey } = await newClient();
    const { page, expectFailure, close } = await open(apiKey, { path: '/templates' });
    expectFailure(400);
    await page.getByRole('button', { name: 'Upload a template' }).first().click();
    const old = { name: 'old.doc', mimeType: 'application/msword', buffer: Buffer.from('x') };
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(old);
    await page.getByRole('alert').getByText('not a file that can be a template').waitFor();
    await page.keyboard.press('Escape');
    const filler = Array.from({ length: 70 }, (_, line) => paragraph(`Line ${line}`)).join('');
    const block = paragraph('{{#if rabatt}}') + paragraph('Rabatt') + paragraph('{{/if}}');
    const body = paragraph('Dear {customer.name') + filler + paragraph('Total {total | nonsense}') + block;
    await drop(page, fileOf('offer.docx', body));
    await page.getByLabel('Name', { exact: true }).fill('Offer 2026');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: '4 mistakes' }).waitFor();
    await dialog.getByText('has no closing brace').first().waitFor();
    await dialog.getByRole('button', { name: 'Page 2: show place 2' }).click();
    const focused = "document.activeElement?.getAttribute('aria-label')";
    await expect.poll(() => page.evaluate<string>(focused)).toMatch(/^2: .*nonsense/);
    expect(await checkScreens(page)).toEqual([]);
    await expect
      .poll(() => page.locator('.problem code mark').allTextContents())
      .toEqual(['{customer.name', '{total | nonsense}', '{{#if rabatt}}', '{{/if}}']);
    // The fixes of the two tags of a block are one correct section, and the reference explains it.
    await expect.poll(() => dialog.locator('.problem').nth(2).textContent()).toContain('write {#rabatt}…{/rabatt}');
    await expect.poll(() => dialog.locator('.problem').nth(3).textContent()).toContain('write {/rabatt}');
    const reference = dialog.getByRole('link', { name: 'Sections' }).first();
    await expect.poll(() => reference.getAttribute('href')).toMatch(/template-language\.html#sections$/);
    await expect.poll(() => uncoveredTags(page)).toEqual([]);

    await dialog.getByRole('button', { name: 'Choose another file' }).click();
    await dialog.locator('input[type=file]').setInputFiles(fileOf('offer.docx', paragraph('Dear <<customer.name>>')));
    // The name that was typed for the first file is kept.
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Offer 2026');
    await page.getByLabel('Tags look like').selectOption('<<name>>');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await heading(page, 'Offer 2026.docx').waitFor();
    await close();
  });
});

describe('a template', () => {
  test('can be renamed, downloaded, and deleted by typing its name', async () => {
    const client = await newClient();
    const file = buildDocx({ body: paragraph('Dear {name}') });
    const { id } = await client.template('letter.docx', file);
    const { page, expectFailure, close } = await open(client.apiKey, { path: `/templates/${id}` });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill(hostile.replace('.docx', ''));
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await heading(page, hostile).waitFor();

    const { bytes } = await saved(page, () => page.getByRole('button', { name: 'Download' }).click());
    expect(bytes.equals(file)).toBe(true);

    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete for good' });
    await dialog.getByRole('textbox').fill('letter.docx');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(hostile);
    await confirm.click();
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    expect((await client.call('GET', `/v1/templates/${id}`)).status).toBe(404);

    expectFailure(404);
    await page.goto(`${url}/console/templates/${id}`);
    await page.getByRole('heading', { name: 'This template does not exist' }).waitFor();
    await close();
  });

  test('with delimiters of its own is checked, drawn and previewed with them', async () => {
    const client = await newClient();
    const form = uploadForm('letter.docx', buildDocx({ body: paragraph('Dear <<name>> of {city}') }));
    form.append('delimiters', '<< >>');
    const { id } = (await client.call('POST', '/v1/templates', { body: form })).json<{ id: string }>();
    const { page, close } = await open(client.apiKey, { path: `/templates/${id}` });
    await heading(page, 'letter.docx').waitFor();
    const problems = page.locator('.template-facts .problem');
    await expect
      .poll(() => problems.allTextContents())
      .toEqual([expect.stringContaining('Texts between { and } print as they are')]);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await page.getByText('As written', { exact: true }).click();
    const text = page.locator('.pdf-text').first();
    await expect.poll(() => text.textContent()).toContain('Dear <<name>> of {city}');

    await page.getByRole('link', { name: 'Open the playground' }).click();
    await page.locator('input[type=file]').setInputFiles(fileOf('new.docx', paragraph('Dear <<name>>, <<fresh>>')));
    await page.getByLabel('Fresh', { exact: true }).fill('newly written');
    await expect.poll(() => text.textContent()).toContain('newly written');
    await close();
  });

  test('gets its next version from a dropped file whose pages were shown, after a list of what changes for programs; warnings are marked on the pages', async () => {
    const client = await newClient();
    const { id } = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}, {city}') }));
    const { page, close } = await open(client.apiKey, { path: `/templates/${id}` });
    await heading(page, 'letter.docx').waitFor();
    await loaded(page);
    const tracked = paragraph('new').replace(/<w:r>.*<\/w:r>/, '<w:ins w:id="1" w:author="Ada">$&</w:ins>');
    await drop(page, fileOf('other.docx', paragraph('Dear {name}, {street} {12}') + tracked));
    await page.getByText('other.docx').waitFor();
    await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('{12}');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'What changes for programs that send data' }).waitFor();
    await dialog.getByText('does not use "city"').waitFor();
    expect(await checkScreens(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it the current version' }).click();
    await page.getByText('Version 2 is now the current one.').waitFor();
    await page.getByRole('link', { name: 'letter.docx' }).click();
    await page.getByText('Version 2 · 2 fields').waitFor();
    expect((await client.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ name: 'letter.docx', version: 2 });
    await page.getByText('As written', { exact: true }).click();
    const marks = page.locator('.template-pages .pdf-mark');
    // The tracked change is only in the list, because no tag shows where it is.
    await expect
      .poll(() => marks.evaluateAll((all) => all.map((mark) => mark.getAttribute('aria-label'))))
      .toEqual([expect.stringMatching(/^\d: \{12\} /)]);
    await expect.poll(() => page.locator('.template-facts .problem').count()).toBe(2);
    await close();
  });

  test('has its versions compared page by page and field by field, and an older one can be made current', async () => {
    const client = await newClient();
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, line) => paragraph(`Line ${from + line}`)).join('');
    const { id } = await client.template('a.docx', buildDocx({ body: paragraph('Dear {name}') + lines(0, 20) }));
    await client.reupload(id, 'a.docx', buildDocx({ body: paragraph('Hello {name} of {city}') + lines(0, 90) }));
    const { page, close } = await open(client.apiKey, { path: `/templates/${id}/versions` });
    await page.getByRole('link', { name: 'Compare version 1 with the current one' }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison.getByText('2 of 2 pages differ.').waitFor();
    await comparison.getByText('1 pages before, 2 after.').waitFor();
    await comparison.getByText('No such page').waitFor();
    await expect.poll(() => comparison.locator('.field-changes li').allTextContents()).toEqual(['New city']);
    const marks = comparison.locator('img.marks');
    await expect.poll(() => marks.count()).toBe(2);
    // Marks are translucent, because solid pixels would show on one version what only the other one has.
    expect(await markOpacities(page)).toEqual([
      [0, 60],
      [0, 60],
    ]);
    expect(await checkScreens(page)).toEqual([]);
    await comparison.getByLabel('Mark the differences').uncheck();
    await expect.poll(() => marks.count()).toBe(0);

    await page.getByRole('button', { name: 'Make current: version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make current' }).click();
    await page.getByText('Version 1 is now the current one.').waitFor();
    expect((await client.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ version: 1 });
    await close();
  });
});
