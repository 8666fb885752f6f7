import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

test('gauges show what is left, and charts show what was used by day, template and key', async () => {
  const client = await newClient({ docs: 40, templates: 5, credits: [{ docs: 10 }] });
  const { id } = await client.template('"><b>Hostile<b>.docx', letter('Dear {name}'));
  for (const name of ['Ada', 'Bob', 'Eve']) {
    expect((await client.generate(id, { data: { name } })).status).toBe(200);
  }
  expect((await client.generate(id, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
  const { page, close } = await open(client.apiKey, { path: '/usage' });
  const gauge = (name: string) => page.getByRole('meter', { name });
  await expect.poll(() => gauge('Documents of the subscription').getAttribute('aria-valuetext')).toBe('37 of 40 left');
  await expect.poll(() => gauge('Documents of credits').getAttribute('aria-valuenow')).toBe('10');
  await expect.poll(() => gauge('Templates of the subscription').getAttribute('aria-valuenow')).toBe('4');

  const chart = page.getByRole('slider', { name: 'Documents per day' });
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/3 documents, 1 failed/);
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/0 documents/);
  await page.keyboard.press('End');
  await page.getByText('As a table').click();
  const today = new Date().toISOString().slice(0, 10);
  await expect.poll(() => page.getByRole('row', { name: today }).textContent()).toMatch(/3.*1$/);
  await expect
    .poll(() =>
      page
        .locator('.bars')
        .getByRole('row', { name: /Hostile/ })
        .textContent(),
    )
    .toContain('"><b>Hostile<b>.docx');
  await expect.poll(() => page.locator('main b', { hasText: 'Hostile' }).count()).toBe(0);
  expect(await checkScreens(page)).toEqual([]);

  await page.getByLabel('Time', { exact: true }).selectOption('7');
  await expect.poll(() => new URL(page.url()).search).toBe('?days=7');
  await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe('6');
  await close();
});

test('the page of keys shows scopes, budget and that the key expires soon', async () => {
  const { accountId } = await newClient();
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: accountId,
    name: '<i>Web shop</i>',
    scopes: 'account:read,generate',
    expires: soon,
  });
  const { page, close } = await open(apiKey, { path: '/keys' });
  await page.getByRole('region', { name: 'The key of this tab expires soon' }).waitFor();
  const cards = page.getByRole('list', { name: 'Keys of this account' }).locator('.key-card');
  await expect.poll(() => cards.count()).toBe(2);
  await expect
    .poll(() => cards.first().textContent())
    .toMatch(/<i>Web shop<\/i>.*This tab.*Expires.*Generate documents/s);
  await expect.poll(() => cards.nth(1).textContent()).toContain('May do everything');
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).count())
    .toBe(0);
  await expect.poll(() => page.textContent('main')).not.toContain(apiKey);
  await expect.poll(() => page.locator('.command code').textContent()).toContain('create-key');
  expect(await checkScreens(page)).toEqual([]);
  await close();
});
