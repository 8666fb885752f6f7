import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { pdfText } from '../../support/documents/document-text.ts';
import { saved, useBrowser } from '../pages/use-browser.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useBrowser((address) => address.startsWith(`${url}/`) || /^(blob|data):/.test(address), 'load');

const subject = 'A first letter of my own';

test('a new user gets from the first page to a PDF without other help', async () => {
  const { apiKey } = await newClient();
  const { page, problems } = await open(`${url}/`, { width: 1280, scheme: 'light' });
  await page.getByRole('link', { name: 'Open the console' }).click();
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await page
    .getByLabel('Choose a Word file, or drop it here')
    .and(page.locator('input'))
    .setInputFiles('examples/letter.docx');
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click();

  await page.getByRole('link', { name: 'Open the playground' }).click();
  await page.getByLabel('Subject', { exact: true }).fill(subject);
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain(subject);
  const pdf = await saved(page, () => page.getByRole('button', { name: 'Generate', exact: true }).click());

  expect(pdf.name).toBe('letter.pdf');
  expect(await pdfText(pdf.bytes)).toContain(subject);
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
  expect(problems).toEqual([]);
});
