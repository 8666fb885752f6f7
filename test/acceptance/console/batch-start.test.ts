import PizZip from 'pizzip';
import { describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { saved } from '../pages/use-browser.ts';
import { checkRows, drop, useBatchStart } from './use-batch-start.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);

const startPage = useBatchStart(open);
const batchesOf = async (client: TestClient) => (await client.call('GET', '/v1/batches')).json<{ id: string }[]>();

describe('a batch in the console', () => {
  test('leads from a dropped CSV of 60 rows, 3 of them bad, to the bundle, and starts once', async () => {
    const client = await newClient({ docs: 100 });
    const { page, close } = await startPage(client, 'Dear {participant.name} of {town}');
    const bad = ['Row without a town', '"one";two;three', '"Last ""one"""'];
    const rows = Array.from({ length: 57 }, (_, index) => `Person ${index + 1};"Town, ${index}\nupper part"`);
    const csv = ['participant.name;town', bad[0], ...rows, ...bad.slice(1)].join('\r\n');
    await drop(page, csv);
    await page.getByText('60 rows').first().waitFor();
    await page.getByText('3 rows cannot become a document').waitFor();
    await page.getByText('Every tag has a value').waitFor();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByAltText('Document of row 2, page 1').waitFor();
    await page.getByLabel('Format', { exact: true }).selectOption('docx');
    const names = page.getByLabel('File names');
    await names.fill('letter/{participant.nam} {town}');
    await page.getByText('No row has a value under this name: {participant.nam}.').waitFor();
    await names.fill('letter/{town}');
    await page.getByText('A file name has no folders').waitFor();
    await names.fill('letter-{participant.name}');
    await expect.poll(() => page.locator('.field-error').count()).toBe(0);
    await checkRows(page);
    await page.getByText('3 rows will fail and cost nothing').waitFor();
    expect(await checkScreens(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start: 57 documents' }).dblclick();
    await page.waitForURL(/\/batches\/bat_/);
    await page.getByRole('heading', { name: 'Failed rows: 3' }).waitFor();
    expect(await batchesOf(client)).toHaveLength(1);
    await page.getByText('Another try cannot help.').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Retry all failed rows' }).count()).toBe(0);

    const bundle = await saved(page, () => page.getByRole('button', { name: 'Download letter.zip' }).click());
    const files = Object.keys(new PizZip(bundle.bytes).files);
    expect(files).toHaveLength(58);
    expect(files).toContain('letter-Person 57.docx');
    const failed = await saved(page, () => page.getByRole('button', { name: 'Download all failed rows' }).click());
    expect(failed.name).toBe('people-rows.csv');
    expect(failed.bytes.toString()).toBe(`\uFEFFparticipant.name;town\r\n${bad.join('\r\n')}\r\n`);
    const manifest = await saved(page, () => page.getByRole('button', { name: 'Manifest as CSV' }).click());
    expect(manifest.bytes.toString().trim().split('\r\n')).toHaveLength(61);
    const single = await saved(page, () =>
      page.getByRole('button', { name: 'Download the document of row 2', exact: true }).click(),
    );
    expect(new PizZip(single.bytes).file('word/document.xml')?.asText()).toContain('upper part');
    await loaded(page);
    expect(await checkScreens(page)).toEqual([]);
    await close();
  });

  test('follows the mapping and the encoding that the user chooses; names and values are only text', async () => {
    const client = await newClient({ docs: 5 });
    const { page, close, templateId } = await startPage(client, 'Dear {customer.fullName} of {place}');
    const hostile = '<img src=x onerror=document.title=1>';
    const long = 'x'.repeat(300);
    const csv = Buffer.from(`${hostile};${long};"a""b"\r\nMüller ${hostile};${long};c\r\n`, 'latin1');
    await drop(page, csv);
    await page.getByText('Which letters are right?').waitFor();
    await expect.poll(() => page.locator('.question').textContent()).toContain('Müller');
    expect(await checkScreens(page)).toEqual([]);
    await page.getByRole('button', { name: /Windows-1252/ }).click();
    await page.getByText('2 tags have no value').waitFor();
    await page.getByLabel('Source of customer.fullName').selectOption({ label: hostile });
    await page.getByLabel('Source of place').selectOption('The same text in every row');
    await page.getByLabel('Text for place').fill('{Cork} & <b>');
    await page.getByText('Every tag has a value').waitFor();
    await page.getByAltText('Document of row 1, page 1').waitFor();
    await page.getByText('Data of this row').click();
    await expect.poll(() => page.locator('.row-data pre').textContent()).toContain(`"fullName": "Müller ${hostile}"`);
    expect(await checkScreens(page)).toEqual([]);
    await page.getByLabel('Download as').selectOption('none');
    await page.getByLabel('Format', { exact: true }).selectOption('docx');
    await checkRows(page);
    await page.getByRole('button', { name: 'Start: 1 document' }).click();
    await page.getByText('Took').waitFor();
    const single = await saved(page, () =>
      page.getByRole('button', { name: 'Download the document of row 1' }).click(),
    );
    const text = new PizZip(single.bytes).file('word/document.xml')?.asText() ?? '';
    expect(text).toContain('Müller &lt;img');
    expect(text).toContain('of {Cork} &amp; &lt;b&gt;');

    // The console keeps the choices for a file with the same columns.
    await page.getByRole('link', { name: 'Batches' }).first().click();
    await page.getByRole('link', { name: 'New batch' }).click();
    await page.getByRole('link', { name: 'Choose letter.docx' }).click();
    await expect.poll(() => page.url()).toContain(templateId);
    await drop(page, csv);
    await page.getByRole('button', { name: /Windows-1252/ }).click();
    await page.getByText('The choices of the last file').waitFor();
    await expect.poll(() => page.title()).toContain('New batch');
    await close();
  });

  test('is refused beyond the quota, before and at its start', async () => {
    const client = await newClient({ docs: 2 });
    const { page, close, expectFailure, templateId } = await startPage(client, 'Dear {name}');
    await drop(page, '[{"name":"Ada"},{"name":"Bob"},{"name":"Cyd"}]', 'people.json');
    await checkRows(page);
    await page.getByText('The quota is 1 document short').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Start/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Other file' }).click();
    await drop(page, '{"name":"Ada"}\n{"name":"Bob"}\n', 'people.ndjson');
    await checkRows(page);
    await page.getByRole('button', { name: 'Start: 2 documents' }).waitFor();
    expect(
      (await client.call('POST', `/v1/templates/${templateId}/generate`, { json: { data: { name: 'x' } } })).status,
    ).toBe(200);
    expectFailure(402);
    await page.getByRole('button', { name: 'Start: 2 documents' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/quota/);
    expect(await checkScreens(page)).toEqual([]);
    expect(await batchesOf(client)).toHaveLength(0);
    await close();
  });

  test('starts once even if the first response is lost', async () => {
    const client = await newClient({ docs: 5 });
    const { page, close, expectFailure } = await startPage(client, 'Dear {name}');
    await drop(page, 'name\nAda\nBob\n');
    await page.getByLabel('Format', { exact: true }).selectOption('docx');
    await checkRows(page);
    await page.getByRole('button', { name: 'Start: 2 documents' }).waitFor();
    expectFailure('ERR_FAILED');
    await page.route('**/batches', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Start: 2 documents' }).click();
    await page.getByText('The answer of the service was lost').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Start: 2 documents' }).click();
    await page.waitForURL(/\/batches\/bat_/);
    expect(await batchesOf(client)).toHaveLength(1);
    await close();
  });

  test('begins with a sample file whose header has the tags', async () => {
    const client = await newClient({ docs: 5 });
    await client.template('letter.docx', letter('Dear {customer.name} {#items}{title} {/items}'));
    const { page, close } = await open(client.apiKey, { path: '/batches' });
    await page.getByText('No batches yet').waitFor();
    const sample = await saved(page, () =>
      page.getByRole('button', { name: 'Download a sample CSV for letter.docx' }).click(),
    );
    const [header = ''] = sample.bytes.toString().replace('\uFEFF', '').split('\r\n');
    expect(header.split(',').sort()).toEqual(['customer.name', 'items[0].title', 'items[1].title']);
    expect(await checkScreens(page)).toEqual([]);
    await page.getByRole('link', { name: 'Choose letter.docx' }).click();
    await drop(page, sample.bytes);
    await page.getByText('Every tag has a value').waitFor();
    await close();
  });
});
