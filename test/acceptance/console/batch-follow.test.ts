import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { whilePaused } from '../../support/services/while-paused.ts';
import { formOf } from '../api/form-bodies.ts';
import { png } from '../api/pictures.ts';
import { letter } from '../api/samples.ts';
import { type Batch, ended, lines, send } from '../batches/batch-client.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const stack = inject('stack');
const { newClient, operator, url } = await useService(stack);
const open = useConsole(url);

/** Creates an account with a template. A worker checks the file, so call this before the account is paused. */
async function prepared(text: string) {
  const client = await newClient({ docs: 20 });
  const { id: templateId } = await client.template('letter.docx', letter(text));
  const start = async (rows: readonly object[], query = '') =>
    (await send(client, `/v1/templates/${templateId}/batches${query}`, lines(rows))).json<Batch>().id;
  return { client, start };
}

test('a lost connection is shown, and the batch is followed to its end', async () => {
  const rows = [{ name: 'Ada' }, { name: 'Bob' }];
  const { client, start } = await prepared('Dear {name}');
  const { page, close, id } = await whilePaused(stack, operator, client.accountId, async () => {
    const id = await start(rows);
    const visit = await open(client.apiKey, { path: `/batches/${id}` });
    const { page, expectFailure } = visit;
    await page.getByText('The batch waits').waitFor();
    await expect.poll(() => page.getByRole('progressbar').getAttribute('max')).toBe('2');
    expect(await checkScreens(page)).toEqual([]);
    // From now on every request for the batch fails; the open stream ends when the page is left.
    for (const failure of ['ERR_FAILED', 'ERR_INTERNET_DISCONNECTED']) expectFailure(failure);
    await page.route(`**/v1/batches/${id}**`, (route) => route.abort());
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.goBack();
    await page.getByText('The connection is lost').waitFor();
    return { ...visit, id };
  });
  await ended(client, id);
  await page.route(`**/v1/batches/${id}`, (route) => route.continue());
  await page.getByText('Took').waitFor();
  await expect.poll(() => page.getByText('The connection is lost').count()).toBe(0);
  await close();
});

test('a batch is cancelled after confirmation, and is listed as cancelled', async () => {
  const { client, start } = await prepared('Dear {name}');
  await whilePaused(stack, operator, client.accountId, async () => {
    const id = await start([{ name: 'Ada' }]);
    const { page, close } = await open(client.apiKey, { path: '/batches' });
    await page.getByText('0 of 1').waitFor();
    await page.getByRole('link', { name: 'letter' }).click();
    await expect.poll(() => page.url()).toContain(id);
    await page.getByRole('button', { name: 'Cancel batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByText('Took').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Cancel batch' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Batches' }).first().click();
    await page.getByRole('cell', { name: 'Cancelled' }).waitFor();
    await page.getByLabel('Status').selectOption('Completed');
    await page.getByText('No batch matches').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?status=completed');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('cell', { name: 'Cancelled' }).waitFor();
    expect(await checkScreens(page)).toEqual([]);
    await close();
  });
});

test('failed rows are grouped by reason, retried, and extracted from the file', async () => {
  const rows = ['ada', 'bob', 'cyd'].map((name) => ({ name, photo: { asset: `${name}.png` } }));
  const { client, start } = await prepared('Dear {name} {%photo}');
  const id = await start(rows, '?bundle=none');
  await ended(client, id);
  const { page, close, expectFailure } = await open(client.apiKey, { path: `/batches/${id}` });
  await page.getByRole('heading', { name: 'Failed rows: 3' }).waitFor();
  const reasons = page.getByRole('checkbox', { name: /^Choose all rows with/ });
  await reasons.first().waitFor();
  await expect.poll(() => reasons.count()).toBe(1);
  await expect.poll(() => reasons.getAttribute('aria-label')).toMatch(/\{%photo\} names an asset that does not exist/);

  // Only the user's computer has the file of the batch.
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'x.ndjson', mimeType: 'text/plain', buffer: Buffer.from('{"name":"x"}\n') });
  await page.getByText('This file has 1 row, the batch 3').waitFor();
  await file.setInputFiles({ name: 'x.ndjson', mimeType: 'text/plain', buffer: Buffer.from(lines(rows)) });
  await page.getByText('3 rows', { exact: true }).click();
  await page.getByLabel('Choose row 3').check();
  await expect.poll(() => reasons.isChecked()).toBe(false);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'New batch of 1 chosen' }).click();
  await page.getByText('x-rows.ndjson').waitFor();
  await page.getByText('1 row', { exact: false }).first().waitFor();
  // The new batch shows its first row, whose picture is missing, unless the page is left before.
  expectFailure('/v1/templates/preview');
  await page.goBack();

  for (const { photo } of rows) {
    const body = formOf([
      ['name', photo.asset],
      ['file', png(4, 4, [200, 0, 0]), 'local.png'],
    ]);
    expect((await client.call('POST', '/v1/assets', { body })).status).toBe(201);
  }
  await page.getByRole('button', { name: 'Retry all failed rows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await expect.poll(async () => (await ended(client, id)).counts.succeeded).toBe(3);
  await page.getByRole('button', { name: 'Download the document of row 3' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: /Failed rows/ }).count()).toBe(0);
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);
  await close();
});
