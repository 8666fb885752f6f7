import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { acceptLink, checkScreens, loaded, refuseWith, useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);
const keyField = 'API key';

describe('signing in', () => {
  test('a pasted key opens the templates, and is stored for this tab only', async () => {
    const { apiKey } = await newClient();
    const { page, close } = await open();
    expect(await checkScreens(page)).toEqual([]);
    await page.getByLabel(keyField, { exact: true }).fill(` ${apiKey}\n`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/console/templates');
    const kept = 'JSON.stringify([localStorage, document.cookie, location.href])';
    await expect.poll(() => page.evaluate<string>(kept)).not.toContain(apiKey);

    await page.reload();
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    await close();
  });

  test.each([
    ['dts_live_0000000000000000000000000000000000000000', /does not know this key/],
    ['two words', /no spaces/],
    ['schlüssel', /ASCII/],
  ])('%s is refused with the reason, and the field keeps its value', async (key, reason) => {
    const { page, expectFailure, close } = await open();
    expectFailure(401);
    await page.getByLabel(keyField, { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    const field = page.getByLabel(keyField, { exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.locator('form').textContent()).toMatch(reason);
    await expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe('key');
    await close();
  });

  test('too many wrong keys are refused with advice', async () => {
    const { page, expectFailure, close } = await open();
    expectFailure(429);
    let requests = 0;
    await page.route('**/v1/account/key', (route) => {
      requests += 1;
      return refuseWith(429, 'Too many wrong keys.', { 'Retry-After': '7' })(route);
    });
    await page.getByLabel(keyField, { exact: true }).fill('dts_live_wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('form').textContent()).toContain('Try again in 7 s');
    expect(requests).toBe(1);
    await close();
  });
});

describe('a link with a key', () => {
  const accountOf = async (name: string) => {
    const { accountId } = await operator.run<{ accountId: string }>('create-account', { name });
    return operator.createKey(accountId);
  };
  const linkOf = (apiKey: string, path = '/') => `${path}#key=${apiKey}`;
  /** Pastes a link while the page is open, so that only the fragment changes and nothing is loaded. */
  const paste = (page: Page, apiKey: string) =>
    page.evaluate(`const link = new URL(location.href); link.hash = 'key=${apiKey}'; location.assign(link);`);
  const kept = (page: Page) => page.evaluate<string | null>("sessionStorage.getItem('docmill.key')");

  /** Checks that no address in the tab's history contains the key. */
  async function expectNoKey(page: Page): Promise<void> {
    await expect.poll(() => page.url()).not.toContain('key=');
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    expect(entries.map((entry) => entry.url).join(' ')).not.toContain('dts_');
  }

  test('names the account, signs in with one click, and the page of the address opens', async () => {
    const { apiKey } = await accountOf('Smith & Sons');
    const { page, close } = await open(undefined, { path: linkOf(apiKey, '/templates?search=a') });
    await page.getByRole('heading', { name: 'Sign in to Smith & Sons?' }).waitFor();
    await expectNoKey(page);
    await expect.poll(() => kept(page)).toBeNull();
    expect(await checkScreens(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${url}/console/templates?search=a`);
    await expectNoKey(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${url}/console/templates?search=a`);
    await close();
  });

  test('leads to the sign-in when it is declined, and its key is forgotten', async () => {
    const { apiKey } = await accountOf('Elsewhere');
    const { page, close } = await open(undefined, { path: linkOf(apiKey) });
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByLabel(keyField, { exact: true }).waitFor();
    await page.reload();
    await page.getByLabel(keyField, { exact: true }).waitFor();
    await expect.poll(() => kept(page)).toBeNull();
    await close();
  });

  test('asks before it signs in, even if it is pasted at the open sign-in', async () => {
    const { apiKey } = await accountOf('Pasted here');
    const { page, close } = await open();
    await paste(page, apiKey);
    await page.getByRole('heading', { name: 'Sign in to Pasted here?' }).waitFor();
    await expectNoKey(page);
    await acceptLink(page);
    await expect.poll(() => kept(page)).toBe(apiKey);
    await expectNoKey(page);
    await close();
  });

  test.each(['loaded', 'pasted'])(
    'keeps the session when it is %s during one, unless the user replaces it',
    async (way) => {
      const [own, other] = [await accountOf('Own account'), await accountOf('Somebody else')];
      const { page, close } = await open(own.apiKey, { path: '/usage' });
      const follow = async () => {
        if (way === 'pasted') await paste(page, other.apiKey);
        else {
          await page.goto('about:blank');
          await page.goto(`${url}/console${linkOf(other.apiKey, '/usage')}`);
        }
        await page.getByRole('dialog', { name: 'Change the account of this tab?' }).waitFor();
        await loaded(page);
      };
      await follow();
      const dialog = page.getByRole('dialog');
      await expect.poll(() => dialog.textContent()).toContain('You are signed in to Own account.');
      await dialog.getByText('Somebody else').waitFor();
      await expectNoKey(page);
      await expect.poll(() => kept(page)).toBe(own.apiKey);
      expect(await checkScreens(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.url()).toBe(`${url}/console/usage`);

      await follow();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => kept(page)).toBe(own.apiKey);

      await follow();
      await dialog.getByRole('button', { name: 'Change' }).click();
      await page.waitForURL(`${url}/console/templates`);
      await loaded(page);
      await expect.poll(() => kept(page)).toBe(other.apiKey);
      await expectNoKey(page);
      await close();
    },
  );

  test('is only removed when it has the key of the session or no key', async () => {
    const { apiKey } = await accountOf('Own account');
    const { page, close } = await open(apiKey, { path: '/usage' });
    await paste(page, apiKey);
    await expect.poll(() => page.url()).toBe(`${url}/console/usage`);
    await paste(page, '');
    await expect.poll(() => page.url()).toBe(`${url}/console/usage`);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expectNoKey(page);
    await close();
  });

  test('leaves the session alone when its key is wrong, and reports it', async () => {
    const { apiKey } = await accountOf('Own account');
    const { page, expectFailure, close } = await open(apiKey, { path: '/usage' });
    expectFailure(401);
    await paste(page, 'dts_live_0000000000000000000000000000000000000000');
    await page.getByText('The service does not know this key').waitFor();
    await expectNoKey(page);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await close();
  });

  test('is refused when its key was revoked', async () => {
    const { accountId } = await newClient();
    const { apiKey, keyId } = await operator.createKey(accountId);
    await operator.run('revoke-key', { key: keyId });
    const { page, expectFailure, close } = await open(undefined, { path: linkOf(apiKey) });
    expectFailure(401);
    await expect.poll(() => page.locator('form').textContent()).toMatch(/revoked or has expired/);
    await expectNoKey(page);
    await close();
  });

  test('can be tried again when the service did not respond', async () => {
    const { apiKey } = await accountOf('Later');
    const { page, expectFailure, close } = await open();
    expectFailure('net::ERR_FAILED');
    await page.route('**/v1/**', (route) => route.abort());
    await paste(page, apiKey);
    await page.getByText('The service does not answer').waitFor();
    await expectNoKey(page);
    expect(await checkScreens(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in to Later?' }).waitFor();
    await acceptLink(page);
    await close();
  });
});

test('a late response to an earlier key does not end the session of the next one', async () => {
  const [before, after] = [await newClient(), await newClient()];
  await before.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  let refuse: (() => Promise<void>) | undefined;
  const { page, expectFailure, close } = await open(before.apiKey, { path: '/usage' });
  expectFailure(401);
  await page.route('**/v1/templates/statistics*', (route) => {
    refuse = () => refuseWith(401, 'Unknown key.')(route);
  });
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect.poll(() => refuse).toBeDefined();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel(keyField, { exact: true }).fill(after.apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await Promise.all([page.waitForResponse('**/v1/templates/statistics*'), refuse?.()]);
  await page.getByRole('link', { name: 'Documents' }).click();
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor();
  await close();
});

test('the key is kept while the service does not respond', async () => {
  const { apiKey } = await newClient();
  const { page, expectFailure, close } = await open(apiKey);
  expectFailure('net::ERR_FAILED');
  await page.route('**/v1/**', (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { name: 'Not signed in yet' }).waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await close();
});

test('signing out forgets the key', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open(apiKey);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect
    .poll(() => page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])'))
    .not.toContain(apiKey);
  await close();
});

test('a test key is marked as such, and shows only what its scopes allow', async () => {
  const { accountId } = await newClient();
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
    account: accountId,
    kind: 'test',
    scopes: 'templates:read',
  });
  const { page, close } = await open(apiKey, { path: '/templates' });
  await expect.poll(() => page.locator('main').textContent()).toContain('Test key: documents are free');
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect
    .poll(async () => (await links.allTextContents()).map((text) => text.trim()))
    .toEqual(['Templates', 'Pictures', 'Fonts', 'Dictionary']);
  expect(await checkScreens(page)).toEqual([]);
  await page.goto(`${url}/console/usage`);
  await loaded(page);
  await expect.poll(() => page.locator('main').textContent()).toContain('account:read');
  expect(await checkScreens(page)).toEqual([]);
  await close();
});
