import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { useConsole } from './use-console.ts';

const { newClient, operator, url } = await useService(inject('stack'));
const open = useConsole(url);

/** Signs in by hand, because a key that a test gives to a tab is given to each tab of its browser. */
async function openSignedIn(apiKey: string) {
  const visit = await open();
  await signIn(visit.page, apiKey);
  return visit;
}

async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

async function newTab(page: Page, path = '/documents'): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${url}/console${path}`);
  return tab;
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click();
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' });

test('a new tab takes over the session, which ends in all tabs at once, and leaves nothing', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await openSignedIn(apiKey);
  const tab = await newTab(page);
  await tab.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
  await tab.getByText('with the key of another tab').waitFor();
  await expect
    .poll(() => tab.evaluate<string>('JSON.stringify([localStorage, document.cookie])'))
    .not.toContain(apiKey);

  await signOut(page);
  await signInButton(tab).waitFor();
  await signInButton(page).waitFor();
  const late = await newTab(page);
  await signInButton(late).waitFor();
  for (const one of [page, tab, late]) {
    await expect
      .poll(() => one.evaluate<string>('JSON.stringify([sessionStorage, localStorage])'))
      .not.toContain(apiKey);
  }
  await close();
});

test('a tab keeps its own key when another signs in or out, and several keys are no session to take over', async () => {
  const [first, second] = [await newClient(), await newClient()];
  const { page, close } = await openSignedIn(first.apiKey);
  const tab = await newTab(page);
  await tab.getByRole('navigation', { name: 'Main' }).waitFor();
  await signOut(tab);
  await signInButton(page).waitFor();
  await signIn(page, first.apiKey);
  // The user signed out in this tab, so that it asks for a key.
  await tab.reload();
  await signInButton(tab).waitFor();
  await signIn(tab, second.apiKey);
  const third = await newTab(page);
  await signInButton(third).waitFor();
  await signOut(page);
  await signInButton(page).waitFor();
  await expect.poll(() => tab.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
  await expect.poll(() => tab.evaluate<string | null>("sessionStorage.getItem('docmill.key')")).toBe(second.apiKey);
  await close();
});

test('a link with a key asks as before, although another tab is signed in', async () => {
  const [own, other] = [await newClient(), await newClient()];
  const { page, close } = await openSignedIn(own.apiKey);
  const tab = await newTab(page, `/#key=${other.apiKey}`);
  await tab.getByRole('heading', { name: /^Sign in to / }).waitFor();
  await expect.poll(() => tab.evaluate<string | null>("sessionStorage.getItem('docmill.key')")).toBeNull();
  await close();
});

test('a key that was revoked meanwhile is refused in the new tab', async () => {
  const { accountId } = await newClient();
  const { apiKey, keyId } = await operator.createKey(accountId);
  const { page, expectFailure, close } = await openSignedIn(apiKey);
  expectFailure(401);
  await page.goto(`${url}/console/keys`);
  await page.getByRole('list', { name: 'Keys of this account' }).waitFor();
  await operator.run('revoke-key', { key: keyId });
  const tab = await newTab(page);
  await tab.getByText(/revoked or has expired/).waitFor();
  await close();
});

test('below the path of another application, whose pages share the origin, no tab shares its key', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open();
  const prefix = `${url}/docmill`;
  await page.context().route(`${prefix}/**`, async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace(prefix, url), maxRedirects: 0 });
    await route.fulfill({ response: answer });
  });
  await page.goto(`${prefix}/console/`);
  await signIn(page, apiKey);
  const tab = await page.context().newPage();
  await tab.goto(`${prefix}/console/`);
  await signInButton(tab).waitFor();
  const script = `new Promise((done) => {
    const channel = new BroadcastChannel('docmill.session');
    channel.onmessage = () => done('answered');
    channel.postMessage({ kind: 'ask' });
    navigator.locks.query().then(({ held }) => done(held.length + ' locks'));
  })`;
  await expect.poll(() => tab.evaluate<string>(script)).toBe('0 locks');
  await close();
});
