import { beforeAll, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from '../api/samples.ts';
import { saved } from '../pages/use-browser.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { newClient, url, mailbox } = await useService(inject('stack'));
const open = useConsole(url);
const hostile = `"><img src=x onerror=alert(1)> {{y}} ${'w'.repeat(90)}`;

let client: TestClient;
let templateId: string;
beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('Letter.docx', letter('Dear {name}, {total}'))).id;
});

const idOf = async (request: object): Promise<string> => {
  const answer = await client.generate(templateId, request);
  return answer.headers.get('Document-Id') ?? '';
};

/** Requests a document that the service keeps, because the response does not carry it. */
const keptIdOf = async (request: object): Promise<string> => {
  const { id } = (await client.start(templateId, request)).json<{ id: string }>();
  const job = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<{ status: string }>();
  await expect.poll(async () => (await job()).status).toBe('succeeded');
  return id;
};

test('a failed document shows the reason, the location and advice', async () => {
  await idOf({ data: { name: 'Ada', total: 1 } });
  expect((await client.generate(templateId, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
  const { page, close } = await open(client.apiKey, { path: '/documents' });
  const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await page.getByLabel('Status').selectOption('failed');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => new URL(page.url()).search).toBe('?status=failed');
  await expect.poll(() => rows.first().textContent()).toContain('does not fit the template');
  await rows.first().getByRole('link').click();
  const failure = page.getByRole('region', { name: 'This document could not be made' });
  await expect
    .poll(() => failure.textContent())
    .toMatch(/\{name\}.*data\.name.*Correct what is named above.*cost nothing/s);
  const steps = page.getByRole('region', { name: /^Failed after/ }).getByRole('listitem');
  await expect.poll(() => steps.count()).toBe(2);
  expect(await checkScreens(page)).toEqual([]);
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('failed');
  await close();
});

test('a document is found by a part of its name, which is text and never markup', async () => {
  const id = await keptIdOf({ data: { name: hostile, total: 1 }, output: { filename: `${hostile}.docx` } });
  const { page, close } = await open(client.apiKey, { path: '/documents' });
  await page.getByRole('searchbox').fill('ONERROR=ALERT');
  const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('link').click();
  await loaded(page);
  await page.getByRole('heading', { level: 1, name: 'onerror=alert(1)' }).waitFor();
  await expect.poll(() => page.url()).toContain(`/documents/${id}`);
  await expect.poll(() => page.locator('main img').count()).toBe(0);
  expect(await checkScreens(page)).toEqual([]);
  const download = (name: string) => saved(page, () => page.getByRole('button', { name, exact: true }).click());
  expect((await download('Download')).name).toMatch(/onerror=alert.*\.docx$/);
  expect((await download('Download the receipt')).name).toBe(`${id}-receipt.json`);
  await close();
});

test('the pages of a PDF are shown beside its timeline', async () => {
  const id = await keptIdOf({ data: { name: 'Ada', total: 1 }, output: { format: 'pdf' } });
  const { page, close } = await open(client.apiKey, { path: `/documents/${id}` });
  await page.getByRole('region', { name: 'Letter.pdf' }).locator('canvas').first().waitFor();
  const steps = page.getByRole('region', { name: /^Made in/ }).getByRole('listitem');
  await expect
    .poll(() => steps.allTextContents())
    .toEqual([
      expect.stringContaining('Queue'),
      expect.stringContaining('Render'),
      expect.stringContaining('Convert'),
      expect.stringContaining('Store and settle'),
    ]);
  await close();
});

test('a search without results shows that nothing was found, and one button removes its filters', async () => {
  const { page, close } = await open(client.apiKey, { path: '/documents?search=nothing-has-this&status=failed' });
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('nothing-has-this');
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await expect
    .poll(() => page.getByRole('list', { name: 'Documents' }).getByRole('listitem').count())
    .toBeGreaterThan(0);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await close();
});

test('a list without a connection does not say that it is up to date, until the service answers again', async () => {
  const { page, expectFailure, close } = await open(client.apiKey, { path: '/documents' });
  expectFailure('ERR_FAILED');
  await page.getByText('Updates automatically').waitFor();
  await page.route('**/v1/jobs**', (route) => route.abort());
  await page.getByText('Not up to date').waitFor();
  await expect.poll(() => page.getByText('Updates automatically').count()).toBe(0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByText('Updates automatically').waitFor();
  await close();
});

test('a new document waits for a click, so that the list never moves by itself', async () => {
  const { page, close } = await open(client.apiKey, { path: '/documents' });
  const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBeGreaterThan(0);
  await idOf({ data: { name: 'new', total: 2 }, output: { filename: 'brand-new.docx' } });
  const show = page.getByRole('button', { name: 'Show 1 new' });
  await show.waitFor();
  await expect.poll(() => rows.first().textContent()).not.toContain('brand-new.docx');
  await show.click();
  await expect.poll(() => rows.first().textContent()).toContain('brand-new.docx');
  await close();
});

test('an e-mail that a recipient did not get shows the reason, and is tried again', async () => {
  const to = address();
  const refused = 'bob@refused.example';
  const answer = await client.generate(templateId, {
    data: { name: 'Ada', total: 1 },
    output: { email: { to: [to, refused], subject: 'Your letter', body: 'Dear Ada,\nhere it is.' } },
  });
  const delivery = answer.headers.get('Email-Delivery-Id') ?? '';
  const { page, close } = await open(client.apiKey, { path: '/deliveries' });
  const rows = page.getByRole('list', { name: 'E-mails' }).getByRole('listitem');
  await expect.poll(() => rows.first().textContent()).toMatch(/Partly sent.*no such mailbox/s);
  await rows.first().getByRole('link').click();
  await page.getByText('Your letter', { exact: true }).waitFor();
  await page.getByText('Dear Ada,\nhere it is.').waitFor();
  const recipients = page.getByRole('table');
  await expect.poll(() => recipients.getByRole('row', { name: refused }).textContent()).toMatch(/Refused.*550/s);
  await expect.poll(() => recipients.getByRole('row', { name: to }).textContent()).toContain('Sent');
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  const attempts = async () =>
    (await client.call('GET', `/v1/deliveries/${delivery}`)).json<{ attempts: number; status: string }>();
  // The number of attempts does not matter, only that the refused recipient was tried again.
  await expect.poll(async () => (await attempts()).status).toMatch(/partial|failed/);
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
  expect(await mailbox.to(to)).toHaveLength(1);
  await page.getByRole('link', { name: /^doc_/ }).click();
  await page.getByRole('region', { name: 'Afterwards' }).getByRole('link', { name: 'E-mail' }).waitFor();
  await close();
});

test('an e-mail that was sent is sent again to others, and its document shows to whom and when', async () => {
  const [to, bcc, second] = [address('sent'), address('hidden'), address('second')];
  const answer = await client.generate(templateId, {
    data: { name: 'Ada', total: 1 },
    output: { filename: 'again.docx', email: { to: [to], bcc: [bcc], subject: 'Your letter' } },
  });
  const { page, close } = await open(client.apiKey, {
    path: `/deliveries/${answer.headers.get('Email-Delivery-Id')}`,
  });
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send this e-mail again' });
  await expect.poll(() => dialog.getByLabel('To', { exact: true }).inputValue()).toBe(to);
  await expect.poll(() => dialog.getByLabel('Bcc').inputValue()).toBe(bcc);
  await dialog.getByLabel('Bcc').fill('');
  await dialog.getByLabel('To', { exact: true }).fill('');
  await dialog.getByRole('button', { name: 'Send to 0 recipients' }).click();
  await dialog.getByText('Name at least one recipient.').waitFor();
  await dialog.getByLabel('To', { exact: true }).fill(`${second}, ${address('third')}`);
  expect(await checkScreens(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send to 2 recipients' }).click();
  await page.getByRole('heading', { level: 1, name: `E-mail to ${second} and 1 more` }).waitFor();
  await page.getByText('Your letter', { exact: true }).waitFor();
  await expect.poll(async () => (await mailbox.to(second)).length).toBe(1);
  expect([(await mailbox.to(to)).length, (await mailbox.to(bcc)).length]).toEqual([1, 1]);
  await page.getByRole('link', { name: /^doc_/ }).click();
  const afterwards = page.getByRole('region', { name: 'Afterwards' });
  await expect.poll(() => afterwards.getByRole('link', { name: 'E-mail' }).count()).toBe(2);
  await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
  const row = page.getByRole('list', { name: 'Documents' }).getByRole('listitem').filter({ hasText: 'again.docx' });
  await row.getByText(`By e-mail to ${to} and 1 more`).waitFor();
  await expect.poll(() => row.locator('time').textContent()).toMatch(/\d{4}/);
  await close();
});
