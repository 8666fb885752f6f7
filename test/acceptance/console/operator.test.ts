import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, loaded, useConsole } from './use-console.ts';

const { clientOf, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const phone = { width: 390, scheme: 'dark' } as const;

const newKey = async (scopes?: string): Promise<string> =>
  (
    await operator.run<{ operatorKey: string }>('create-operator-key', {
      name: 'Console',
      ...(scopes !== undefined && { scopes }),
    })
  ).operatorKey;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Operator key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.sign-in').waitFor({ state: 'detached' });
  await loaded(page);
}

test('an operator takes a customer from nothing to a document in the browser, and every act is in the log', async () => {
  const { page, close } = await open(undefined, { path: '/operator' });
  expect(await checkScreens(page)).toEqual([]);
  await signIn(page, await newKey());
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Create an account' }).click();
  const name = 'Ziegler <b>& Söhne</b>';
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await page.getByRole('button', { name: 'Set the subscription' }).click();
  await page.getByLabel('Documents in a month').fill('10');
  await page.getByLabel('Templates that it may have').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Grant credits' }).click();
  await page.getByLabel('Documents', { exact: true }).fill('5');
  await page.getByRole('dialog').getByRole('button', { name: 'Grant credits' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name of the key').fill('Shop');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const apiKey = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();

  const customer = clientOf(apiKey);
  const { id } = await customer.template('letter.docx', letter('Dear {name}'));
  expect((await customer.generate(id, { data: { name: 'Ada' } })).status).toBe(200);
  await page.reload();
  await loaded(page);
  await expect.poll(() => page.locator('.facts').first().textContent()).toMatch(/Documents left14/);
  const acts = page.getByRole('list', { name: 'Audit log' });
  for (const act of ['create-account', 'set-subscription', 'grant-credits', 'create-key'])
    await acts.getByText(act, { exact: true }).waitFor();
  expect(await checkScreens(page)).toEqual([]);

  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('All its keys are refused').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await expect.poll(async () => (await customer.call('GET', '/v1/templates')).status).toBe(403);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await customer.call('GET', '/v1/templates')).status).toBe(200);
  await page.getByRole('button', { name: 'Revoke Shop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(async () => (await customer.call('GET', '/v1/templates')).status).toBe(401);
  await close();
});

test('the page of now works on a phone: pausing and draining say first what will happen', async () => {
  const { page, close } = await open(undefined, { path: '/operator', screen: phone });
  await signIn(page, await newKey());
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pause webhook' }).click();
  await page.getByText(/Workers take no more jobs of webhook: .* nothing is lost/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/^webhook is paused, since/).waitFor();
  await page.getByRole('button', { name: 'Resume webhook' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByText(/^webhook is paused, since/).waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Drain process/ })
    .first()
    .click();
  await page.getByText(/takes no more jobs, finishes .* and exits/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await close();
});

test('failures can be produced again by id, and a refusal says why', async () => {
  const { page, expectFailure, close } = await open(undefined, { path: '/operator' });
  await signIn(page, await newKey());
  await page.getByRole('link', { name: 'Failures' }).click();
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Produce or send again' }).click();
  await page.getByLabel('Id').fill('tpl_1');
  await page.getByRole('button', { name: 'Produce again' }).click();
  await page.getByText('The id begins with doc_, bat_ or dlv_.').waitFor();
  expectFailure(404);
  await page.getByLabel('Id').fill('bat_00000000000000000000000000');
  await page.getByText('All failed documents of the batch').waitFor();
  await page.getByRole('button', { name: 'Produce again' }).click();
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'There is no batch with this id' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await loaded(page);
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

test('a key of an account is refused, a limited key sees what it may, and signing out forgets the key', async () => {
  const { page, expectFailure, close } = await open(undefined, { path: '/operator/accounts' });
  expectFailure(401);
  expectFailure(403);
  const { apiKey } = await (await useService(inject('stack'))).newClient();
  await page.getByLabel('Operator key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Operator key').getAttribute('aria-invalid')).toBe('true');
  await signIn(page, await newKey('audit:read'));
  await page.getByRole('alert').filter({ hasText: 'lacks the scope accounts:read' }).waitFor();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('create-operator-key').first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator key').waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('dop_');
  await close();
});
