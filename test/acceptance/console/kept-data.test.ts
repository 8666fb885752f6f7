import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, useConsole } from './use-console.ts';

const { clientOf, newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

const name = (page: Page) => page.getByLabel('Name', { exact: true });
const choice = (page: Page) => page.getByLabel('Data', { exact: true });
const shownChoice = (page: Page) =>
  choice(page).evaluate(
    (select) => (select as unknown as { selectedOptions: { label: string }[] }).selectedOptions[0]?.label,
  );
const stored = (page: Page) => page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])');

async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

async function openPlayground() {
  const client = await newClient();
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const visit = await open(client.apiKey, { path: `/templates/${id}/playground` });
  await visit.page.locator('.pdf-page canvas').first().waitFor();
  return { ...visit, client, id };
}

async function keep(page: Page, as: string): Promise<void> {
  await page.getByRole('button', { name: 'Keep on this computer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Keep no personal data on a computer that you share.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill(as);
  await dialog.getByRole('button', { name: 'Keep on this computer' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('what was typed survives a reload and a revoked key, but neither signing out nor another account', async () => {
  const { page, client, id, expectFailure, close } = await openPlayground();
  expectFailure(401);
  await name(page).fill('Ada Lovelace');
  await page.getByText('It stays in this tab').waitFor();
  await page.reload();
  await expect.poll(() => name(page).inputValue()).toBe('Ada Lovelace');
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('Ada Lovelace');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dictionary' }).click();
  expectFailure(404);
  await page.goBack();
  await expect.poll(() => name(page).inputValue()).toBe('Ada Lovelace');

  await operator.run('revoke-key', { key: client.keyId });
  await expect.poll(async () => (await client.call('GET', '/v1/account/key')).status, { interval: 500 }).toBe(401);
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByText(/revoked or has expired/).waitFor();
  const again = await operator.createKey(client.accountId);
  await signIn(page, again.apiKey);
  await expect.poll(() => name(page).inputValue()).toBe('Ada Lovelace');

  // Another account must not find it, even if the first one never signed out.
  await operator.run('revoke-key', { key: again.keyId });
  const refused = async () => (await clientOf(again.apiKey).call('GET', '/v1/account/key')).status;
  await expect.poll(refused, { interval: 500 }).toBe(401);
  await page.reload();
  await page.getByText(/revoked or has expired/).waitFor();
  const other = await newClient();
  await signIn(page, other.apiKey);
  await expect.poll(() => stored(page)).not.toContain('Lovelace');

  await page.getByRole('button', { name: 'Sign out' }).click();
  const last = await operator.createKey(client.accountId);
  await signIn(page, last.apiKey);
  await page.goto(`${url}/console/templates/${id}/playground`);
  await name(page).fill('Grace Hopper');
  await expect.poll(() => stored(page)).toContain('Hopper');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect.poll(() => stored(page)).not.toContain('Hopper');
  await close();
});

test('data is kept under names for one account, only when asked, and is forgotten by anybody', async () => {
  const { page, client, id, expectFailure, close } = await openPlayground();
  // After signing in with another account, the page of the first one's template does not exist.
  expectFailure(404);
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).toBe('{}');
  await name(page).fill('Ada');
  await keep(page, 'Short name');
  await expect.poll(() => shownChoice(page)).toBe('Short name');
  await name(page).fill('Wolfeschlegelsteinhausenbergerdorff');
  await keep(page, 'Long name');
  expect(await checkScreens(page)).toEqual([]);
  await choice(page).selectOption('Short name');
  await expect.poll(() => name(page).inputValue()).toBe('Ada');

  // Data that is not kept is replaced only after a question.
  await name(page).fill('Not kept');
  await choice(page).selectOption('Long name');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => name(page).inputValue()).toBe('Not kept');
  await expect.poll(() => shownChoice(page)).toBe('Your data, not kept');
  await choice(page).selectOption('Long name');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace it' }).click();
  await expect.poll(() => name(page).inputValue()).toContain('Wolfe');

  // It outlives the session, and belongs to its account.
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Kept on this computer: 2 sets of data').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  const other = await newClient();
  const theirs = await other.template('letter.docx', letter('Dear {name}'));
  await signIn(page, other.apiKey);
  await page.goto(`${url}/console/templates/${theirs.id}/playground`);
  await expect.poll(() => choice(page).locator('option').allTextContents()).toEqual(['Example data']);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, client.apiKey);
  await page.goto(`${url}/console/templates/${id}/playground`);
  await expect
    .poll(() => choice(page).locator('option').allTextContents())
    .toEqual(['Example data', 'Long name', 'Short name']);

  await page.getByRole('button', { name: 'Forget kept data' }).click();
  expect(await checkScreens(page)).toEqual([]);
  await page.getByRole('button', { name: 'Forget Long name' }).click();
  await expect.poll(() => page.getByRole('dialog').getByRole('listitem').allTextContents()).toEqual(['Short name']);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).toBe('{}');
  await close();
});

test('data for which this computer has no space is refused with the reason', async () => {
  const { page, close } = await openPlayground();
  await page.evaluate(`localStorage.setItem('docmill.data acc tpl other', 'x'.repeat(1_999_900))`);
  await name(page).fill('Ada');
  await page.getByRole('button', { name: 'Keep on this computer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Too much');
  await dialog.getByRole('button', { name: 'Keep on this computer' }).click();
  await dialog.getByText('There is no space for it').waitFor();
  await expect.poll(() => page.evaluate<string>('JSON.stringify(Object.keys(localStorage))')).not.toContain('Too much');
  await close();
});

test('a deleted template takes its kept data along', async () => {
  const { page, id, close } = await openPlayground();
  await name(page).fill('Ada');
  await keep(page, 'Short name');
  await page.goto(`${url}/console/templates/${id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('letter.docx');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await expect.poll(() => page.evaluate<string>('JSON.stringify(localStorage)')).toBe('{}');
  await close();
});
