import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { findFreePort } from '../../../tools/local/ports.ts';
import { useFolders } from '../../support/folder.ts';
import { startIdentityProvider } from '../../support/services/identity-provider.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, loaded, useConsole } from '../console/use-console.ts';

const port = await findFreePort();
const origin = `http://localhost:${port}`;
const at = `${origin}/console/sign-in/acme`;
const folder = useFolders()();
const file = join(folder, 'sign-in.json');
const secret = 'secret of the client';
writeFileSync(join(folder, 'secret'), `${secret}\n`);
const client = { id: 'docmill', secret, redirectUri: `${at}/callback`, logoutUri: `${at}/back-channel-logout` };
// For browsers 127.0.0.1 is another site than localhost.
const provider = await startIdentityProvider('127.0.0.1', client);
afterAll(() => provider.close());
/** The file names the account before it exists. */
const accountId = `acc_${'0'.repeat(25)}1`;
writeFileSync(
  file,
  JSON.stringify({
    providers: [
      {
        id: 'acme',
        name: 'Acme <&"> Sons',
        issuer: provider.issuer,
        clientId: client.id,
        clientSecretFile: join(folder, 'secret'),
        account: accountId,
        scopes: ['openid', 'profile', 'email', 'groups'],
        roles: [
          { group: 'writers', role: 'author' },
          { group: 'readers', role: 'viewer' },
        ],
      },
    ],
  }),
);
const { newClient, line } = await useOwnStack({ PORT: String(port), PUBLIC_URL: origin, SIGN_IN_FILE: file });
const pool = new pg.Pool({ connectionString: line.env.DATABASE_URL, max: 1 });
afterAll(() => pool.end());
await pool.query('insert into accounts (id, name) values ($1, $2)', [accountId, 'Acme']);
const open = useConsole(origin);

const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' };
const button = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme <&"> Sons' });

/** Opens the console and signs in. */
async function signIn(groups: readonly string[], path = '/') {
  const visit = await open(undefined, { path });
  // The requests to the provider.
  visit.expectFailure(provider.issuer);
  provider.next = { ...ada, groups };
  await button(visit.page).click();
  await visit.page.getByText(/Signed in as|none of your groups/).waitFor();
  await loaded(visit.page);
  return visit;
}

/** A change that the page sends. */
const deletion = `fetch('/v1/dictionary', { method: 'DELETE', headers: { 'Docmill-Session': 'console' } })
  .then((answer) => answer.status)`;
const documents = (page: Page) => page.getByRole('link', { name: 'Documents' });

test('a person signs in with the provider, works, and signs out', async () => {
  const { page, close } = await signIn(['writers'], '/documents');
  await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
  await page.getByText('Signed in as Ada Lovelace').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  expect(await page.evaluate<string>('JSON.stringify([sessionStorage, document.cookie])')).not.toContain('session=');

  await page.goto(`${origin}/console/fonts`);
  await page.getByRole('heading', { name: 'Fonts', level: 1 }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${origin}/console/`);
  await other.getByText('Signed in as Ada Lovelace').waitFor();
  await other.close();

  await page.getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await dialog.getByText('ada@example.com').waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
  await button(page).waitFor();
  await page.reload();
  await button(page).waitFor();
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

test('an author can change things through the console, a viewer only sees them', async () => {
  const { page, expectFailure, close } = await signIn(['writers'], '/templates');
  // There is none, which only those see who may delete one.
  expectFailure(404);
  expect(await page.evaluate<number>(deletion)).toBe(404);
  await documents(page).click();
  await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
  await close();

  const viewer = await signIn(['readers'], '/templates');
  await viewer.page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  viewer.expectFailure(403);
  expect(await viewer.page.evaluate<number>(deletion)).toBe(403);
  await expect.poll(() => viewer.page.getByRole('button', { name: 'Upload' }).count()).toBe(0);
  await viewer.page.goto(`${origin}/console/batches`);
  await viewer.page.getByRole('heading', { name: 'Batches', level: 1 }).waitFor();
  await expect.poll(() => viewer.page.locator('a[href$="/batches/new"]').count()).toBe(0);
  await viewer.close();
});

test('signing out everywhere ends the session in another browser, which says so', async () => {
  const [one, two] = [await signIn(['writers']), await signIn(['writers'])];
  await one.page.getByRole('button', { name: 'Sign out' }).click();
  await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await button(one.page).waitFor();
  two.expectFailure(401);
  await documents(two.page).click();
  await two.page.getByText('Your session has ended').waitFor();
  await one.close();
  await two.close();
});

test('somebody without a role sees why, and may use a key instead', async () => {
  const { page, close } = await signIn(['others']);
  await page.getByText('none of your groups has a role here').waitFor();
  await expect.poll(() => page.url()).toBe(`${origin}/console/`);
  expect(await checkScreens(page)).toEqual([]);
  const { apiKey, template } = await newClient();
  await template('letter.docx', letter('Dear {name}'));
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await page.getByText('letter').first().waitFor();
  await close();
});

test('a page of another site cannot act with the session', async () => {
  const { page, expectFailure, close } = await signIn(['writers']);
  const countActs = () =>
    pool.query("select count(*)::int as acts from audit_log where account_id = $1 and action = 'sign-out-everywhere'", [
      accountId,
    ]);
  const before = await countActs();
  // From another site: the browser sends no cookie, and the page could not set the header.
  expectFailure('');
  await page.goto(`${provider.issuer}/.well-known/openid-configuration`);
  const answer = await page.evaluate<string>(`fetch('${origin}/console/sign-in/sign-out-everywhere', {
    method: 'POST', credentials: 'include', headers: { 'Docmill-Session': 'console' } }).then(
    (reply) => String(reply.status), () => 'refused')`);
  expect(answer).toBe('refused');
  await page.evaluate(`fetch('${origin}/console/sign-in/sign-out-everywhere', {
    method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => undefined)`);
  await page.goto(`${origin}/console/`);
  await page.getByText('Signed in as Ada Lovelace').waitFor();
  const { rows } = await countActs();
  expect(rows).toEqual(before.rows);
  await close();
});
