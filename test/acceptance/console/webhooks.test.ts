import { expect, inject, onTestFinished, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver, verified } from '../../support/faults/webhook-receiver.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const hostile = '<script>alert(1)</script>';

test('a webhook is added, tested, paused, given a new secret, and its failed event is sent again', async () => {
  const client = await newClient();
  const { id: templateId } = await client.template('Letter.docx', letter('Dear {name}'));
  let status = 500;
  const receiver = await startWebhookReceiver({
    answer: (_request, response) => void response.writeHead(status, { 'Content-Type': 'text/html' }).end(hostile),
  });
  onTestFinished(() => receiver.close());
  const { page, close, expectFailure } = await open(client.apiKey, { path: '/webhooks' });
  // The first address is refused.
  expectFailure(400);
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('ftp://example.com/hook');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Description').fill(hostile);
  expect(await checkScreens(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const secret = (await dialog.locator('.secret code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();

  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The test event did not arrive').waitFor();
  const rows = page.getByRole('list', { name: 'Delivery log' }).getByRole('listitem');
  await expect.poll(() => rows.first().textContent()).toMatch(/webhook\.test.*Status 500.*Failed/s);
  await rows.first().locator('summary').click();
  await expect.poll(() => rows.first().textContent()).toContain(hostile);
  expect(await checkScreens(page)).toEqual([]);

  status = 204;
  await rows.first().getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => rows.first().textContent()).toContain('Delivered');
  const [first] = receiver.received;
  const last = receiver.received.at(-1);
  expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  if (last !== undefined) expect(verified(secret, last).type).toBe('webhook.test');

  await client.generate(templateId, { data: { name: 'Ada' } });
  await page.getByRole('button', { name: 'Show 1 new' }).click();
  await expect.poll(() => rows.first().textContent()).toContain('document.succeeded');
  await rows.first().locator('summary').click();
  await rows.first().getByRole('link', { name: 'Open the document' }).click();
  const after = page.getByRole('region', { name: 'Afterwards' });
  await expect
    .poll(() => after.getByRole('listitem').allTextContents())
    .toEqual([expect.stringMatching(/document\.succeeded.*attempt/)]);
  expect(await checkScreens(page)).toEqual([]);
  await after.getByRole('link', { name: 'Webhook' }).click();
  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('region', { name: 'This webhook is off' }).waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  await expect.poll(() => page.locator('.secret code').textContent()).toMatch(/^whsec_/);
  await expect.poll(() => page.locator('.secret code').textContent()).not.toBe(secret);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await expect
    .poll(() => page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, location.href])'))
    .not.toContain('whsec_');

  await page.getByRole('button', { name: 'Change' }).click();
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /batch\.completed/ })
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('A batch has ended').first().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await close();
});
