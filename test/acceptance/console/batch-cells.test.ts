import PizZip from 'pizzip';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { saved } from '../pages/use-browser.ts';
import { checkRows, drop, useBatchStart } from './use-batch-start.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const startPage = useBatchStart(open);

async function textsOfZip(page: Page): Promise<Record<string, string>> {
  const { bytes } = await saved(page, () => page.getByRole('button', { name: 'Download letter.zip' }).click());
  const { files } = new PizZip(bytes);
  const made = Object.values(files).filter(({ name }) => name.endsWith('.docx'));
  return Object.fromEntries(made.map((file) => [file.name, docxText(file.asNodeBuffer())]));
}

test('cells of a German list are read as they are written and corrected in place, and failed rows are sent again', async () => {
  const client = await newClient({ docs: 10 });
  const template =
    '{name} {points | number:1} {day | date:"d MMM yyyy"} {#passed}passed{/passed}{^passed}failed{/passed}';
  const { page, close } = await startPage(client, template);
  const rows = ['Ada;557,5;09.02.2026;ja', 'Bob;1.234;10.02.2026;nein', 'Cyd;12;11.02.2026;vielleicht'];
  await drop(page, ['name;points;day;passed', ...rows, 'Dan;viele;12.02.26;NEIN'].join('\r\n'));
  await page.getByText('is read as 557.5').waitFor();
  await page.getByText('is read as February 9, 2026').waitFor();
  await expect.poll(() => page.getByLabel('Format of points').inputValue()).toBe('decimalComma');
  await expect.poll(() => page.getByLabel('Format of name').count()).toBe(0);
  await page.getByLabel('Format', { exact: true }).selectOption('docx');
  await page.getByLabel('File names').fill('exam-{name}');

  await checkRows(page);
  await page.getByText('3 cells have no value that the template can use').waitFor();
  await page.getByText('Row 3 (line 4), passed: “vielleicht” is neither yes nor no.').waitFor();
  await page.getByText('Row 4 (line 5), points: “viele” is not a number.').waitFor();
  await page.getByText('Row 4 (line 5), day: “12.02.26” is not a date with a year of four digits.').waitFor();
  await page.getByRole('button', { name: 'Start: 2 documents' }).waitFor();
  await page.getByLabel('passed of row 3').fill('nein');
  await page.getByText('is read as no', { exact: true }).waitFor();
  await page.getByLabel('points of row 4').fill('1.007,5');
  await expect.poll(() => page.getByRole('button', { name: /^Start/ }).count()).toBe(0);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check again with the corrections' }).click();
  await page.getByText('1 cell has no value that the template can use').waitFor();
  await page.getByRole('button', { name: 'Start: 3 documents' }).click();

  await page.getByRole('heading', { name: 'Failed rows: 1' }).waitFor();
  await page.getByText('Completed, 1 failed').waitFor();
  await page.getByText('day: “12.02.26” is not a date with a year of four digits', { exact: true }).waitFor();
  expect(await textsOfZip(page)).toEqual({
    'exam-Ada.docx': 'Ada 557.5 9 Feb 2026 passed',
    'exam-Bob.docx': 'Bob 1,234.0 10 Feb 2026 failed',
    'exam-Cyd.docx': 'Cyd 12.0 11 Feb 2026 failed',
  });
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);

  await page.getByRole('button', { name: 'New batch of all failed rows' }).click();
  await page.getByText('people-rows.csv').waitFor();
  await expect.poll(() => page.getByLabel('File names').inputValue()).toBe('exam-{name}');
  await expect.poll(() => page.getByLabel('Format', { exact: true }).inputValue()).toBe('docx');
  await expect.poll(() => page.getByLabel('Format of day').inputValue()).toBe('dayFirst');
  await checkRows(page);
  await page.getByLabel('day of row 1').fill('12.02.2026');
  await page.getByRole('button', { name: 'Check again with the corrections' }).click();
  await page.getByRole('button', { name: 'Start: 1 document' }).click();
  await page.getByText('Took').waitFor();
  expect(await textsOfZip(page)).toEqual({ 'exam-Dan.docx': 'Dan 1,007.5 12 Feb 2026 failed' });

  await page.getByRole('link', { name: 'Batches' }).first().click();
  await page.getByRole('cell', { name: 'Completed, 1 failed' }).waitFor();
  await page.getByRole('cell', { name: 'Completed', exact: true }).waitFor();
  await close();
});

test('the user states whether dates begin with the day or the month before anything is checked', async () => {
  const client = await newClient({ docs: 10 });
  const { page, close } = await startPage(client, 'Due {due | date}: {total | currency:"USD"}');
  await drop(page, 'due,total\n2/9/2026,"$1,234.50"\n3/4/2026,$5\n');
  await page.getByText('can be September 2, 2026 or February 9, 2026').waitFor();
  await page.getByText('Choose above how due is written').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Check all rows' }).count()).toBe(0);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByLabel('Format of due').selectOption('Month first: 12/31/2026');
  await page.getByText('is read as February 9, 2026').waitFor();
  await page.getByText('Data of this row').click();
  const data = page.locator('.row-data pre');
  await expect
    .poll(async () => JSON.parse((await data.textContent()) ?? ''))
    .toEqual({ due: '2026-02-09', total: 1234.5 });
  await checkRows(page);
  await page.getByRole('button', { name: 'Start: 2 documents' }).waitFor();

  // Another file may use another format, so the console asks again.
  await page.getByRole('button', { name: 'Other file' }).click();
  await drop(page, 'due,total\n2/9/2026,1\n25/12/2026,2\n');
  await page.getByText('is read as September 2, 2026').waitFor();
  await close();
});
