import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { letter } from '../api/samples.ts';
import { saved } from '../pages/use-browser.ts';
import { loaded, refuseWith, useConsole } from './use-console.ts';

const stack = inject('stack');
const { newClient, operator, url } = await useService(stack);
const open = useConsole(url);
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Longer than the console waits before it retries by itself. */
const tooSoon = { 'Retry-After': '120' };
const quotaText = 'quota of this account is used up';
const limitText = 'Try again in 120 s';
const offlineText = 'does not answer';

const alertOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

/** Opens the upload dialog and chooses a file. */
async function chooseUpload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload a template' }).first().click();
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: 'offer.docx', mimeType: wordType, buffer: letter('Dear {name}') });
}

describe('an upload', () => {
  test('is refused with advice beyond the quota, and stored once there is credit', async () => {
    const client = await newClient({ templates: 1 });
    await client.template('letter.docx', letter('Dear {name}'));
    const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
    expectFailure(402);
    await chooseUpload(page);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await alertOf(page, quotaText).waitFor();
    await operator.grantCredits(client.accountId, 0, 1);
    await page.getByRole('button', { name: 'Check the file again' }).click();
    await page.getByRole('heading', { name: 'offer.docx', level: 1 }).waitFor();
    await close();
  });

  test('reports a rate limit or a lost connection, and can be sent again', async () => {
    const client = await newClient();
    const { page, expectFailure, close } = await open(client.apiKey, { path: '/templates' });
    expectFailure(429);
    expectFailure('ERR_FAILED');
    await chooseUpload(page);
    await page.route('**/v1/templates', refuseWith(429, 'Too many requests.', tooSoon));
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await alertOf(page, limitText).waitFor();
    await page.route('**/v1/templates', (route) => route.abort());
    await page.getByRole('button', { name: 'Check the file again' }).click();
    await alertOf(page, offlineText).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Check the file again' }).click();
    await page.getByRole('heading', { name: 'offer.docx', level: 1 }).waitFor();
    await close();
  });

  test('is refused when somebody else has changed the template meanwhile', async () => {
    const client = await newClient();
    const { id } = await client.template('letter.docx', letter('Dear {name}'));
    const { page, expectFailure, close } = await open(client.apiKey, { path: `/templates/${id}` });
    expectFailure(412);
    expect((await client.reupload(id, 'letter.docx', letter('Hello {name}'))).status).toBe(200);
    await page.getByRole('button', { name: 'Replace the file' }).click();
    const dialog = page.getByRole('dialog');
    const buffer = letter('Good day {name}');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'letter.docx', mimeType: wordType, buffer });
    await dialog.getByRole('button', { name: 'Make it the current version' }).click();
    await alertOf(page, 'Somebody else changed it. Load the page again').waitFor();
    expect((await client.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ version: 2 });
    await close();
  });
});

test('generating reports a used-up quota, a rate limit and a lost connection, and works again afterwards', async () => {
  const client = await newClient({ docs: 0, templates: 1 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const { page, expectFailure, close } = await open(client.apiKey, { path: `/templates/${id}/playground` });
  for (const failure of [402, 429, 'ERR_FAILED']) expectFailure(failure);
  await page.locator('.pdf-page canvas').first().waitFor();
  const generate = () => page.getByRole('button', { name: 'Generate', exact: true }).click();
  await generate();
  await alertOf(page, quotaText).waitFor();
  await operator.grantCredits(client.accountId, 1);
  await page.route('**/generate', refuseWith(429, 'Too many requests.', tooSoon));
  await generate();
  await alertOf(page, limitText).waitFor();
  await page.route('**/generate', (route) => route.abort());
  await generate();
  await alertOf(page, offlineText).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await saved(page, generate);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);

  let isLimited = true;
  await page.route('**/v1/templates/preview', (route) => {
    if (!isLimited) return route.continue();
    isLimited = false;
    return refuseWith(429, 'Too many previews.', { 'Retry-After': '2' })(route);
  });
  // It is shown for only two seconds.
  const countdown = page.getByText(/next one in [12] s/).waitFor();
  await Promise.all([countdown, page.getByLabel('Name', { exact: true }).fill('Sooner')]);
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('Sooner');
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/v1/templates/preview', (route) => route.abort());
  await page.getByLabel('Name', { exact: true }).fill('Later');
  await page.getByText(offlineText).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('Later');
  await close();
});

test('the cost of a batch is requested again after a rate limit, and progress continues despite one', async () => {
  const client = await newClient({ docs: 5 });
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const { page, expectFailure, close } = await open(client.apiKey, { path: `/batches/new?template=${id}` });
  expectFailure(429);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nAda\n') });
  await page.getByLabel('Format', { exact: true }).selectOption('docx');
  const refuse = refuseWith(429, 'Too many requests.', tooSoon);
  await page.route('**/v1/templates/*/batches/quote', refuse);
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await alertOf(page, limitText).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByRole('button', { name: 'Start: 1 document' }).waitFor();
  await page.route('**/v1/batches/bat_*/events', refuse);
  await page.getByRole('button', { name: 'Start: 1 document' }).click();
  await page.getByText('Took').waitFor();
  await close();
});

test('a list and a document stay visible while the connection is lost, and update after it', async () => {
  const client = await newClient();
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const { page, close } = await whilePaused(stack, operator, client.accountId, async () => {
    const made = await client.start(id, { data: { name: 'Ada' } });
    const documentId = made.json<{ id: string }>().id;
    const visit = await open(client.apiKey, { path: '/documents' });
    for (const failure of ['ERR_FAILED', 429]) visit.expectFailure(failure);
    const { page } = visit;
    const row = page.getByRole('list', { name: 'Documents' }).getByRole('link');
    await row.first().waitFor();
    const lost = page.waitForEvent('requestfailed');
    await Promise.all([lost, page.route('**/v1/jobs**', (route) => route.abort())]);
    await expect.poll(() => row.count()).toBe(1);
    await page.unrouteAll({ behavior: 'wait' });
    await row.first().click();
    await page.getByRole('button', { name: 'Cancel the document' }).waitFor();
    await page.route(`**/v1/jobs/${documentId}**`, refuseWith(429, 'Too many requests.', tooSoon));
    const alert = alertOf(page, limitText);
    await alert.waitFor();
    // The page polls again and again; the sentence stays, so that it is not read aloud again.
    const sentence = await alert.elementHandle();
    for (let round = 0; round < 2; round += 1) await page.waitForResponse(`**/v1/jobs/${documentId}**`);
    await expect.poll(() => sentence?.evaluate((element) => element.isConnected)).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
    return visit;
  });
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await page.route('**/v1/jobs?**', refuseWith(429, 'Too many requests.', tooSoon));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documents' }).click();
  await alertOf(page, limitText).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('list', { name: 'Documents' }).getByRole('link').first().waitFor();
  await close();
});

test('every page leads to the sign-in after its key is revoked, and a new key leads back', async () => {
  const client = await newClient();
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const visit = (path: string) => open(client.apiKey, { path });
  const upload = await visit('/templates');
  await chooseUpload(upload.page);
  const playground = await visit(`/templates/${id}/playground`);
  await playground.page.locator('.pdf-page canvas').first().waitFor();
  const batch = await visit(`/batches/new?template=${id}`);
  await batch.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nAda\n') });
  // A request in progress would meet the revoked key before the user does.
  await batch.page.getByAltText('Document of row 1, page 1').waitFor();
  const documents = await visit('/documents');
  await loaded(documents.page);
  await operator.run('revoke-key', { key: client.keyId });
  await expect.poll(async () => (await client.call('GET', '/v1/account/key')).status, { interval: 500 }).toBe(401);
  const { apiKey } = await operator.createKey(client.accountId);
  const acts: readonly (readonly [typeof upload, (page: Page) => Promise<void>])[] = [
    [upload, (page) => page.getByRole('button', { name: 'Upload', exact: true }).click()],
    [playground, (page) => page.getByRole('button', { name: 'Generate', exact: true }).click()],
    [batch, (page) => page.getByRole('button', { name: 'Check all rows' }).click()],
    // This page polls by itself.
    [documents, async () => undefined],
  ];
  for (const [{ page, expectFailure, close }, act] of acts) {
    expectFailure(401);
    const address = page.url();
    await act(page);
    await page.getByText(/revoked or has expired/).waitFor();
    await expect.poll(() => page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain(client.apiKey);
    await page.getByLabel('API key', { exact: true }).fill(apiKey);
    await page.keyboard.press('Enter');
    await loaded(page);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(() => page.url()).toBe(address);
    await close();
  }
});
