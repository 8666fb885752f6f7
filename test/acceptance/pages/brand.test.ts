import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { useFolders } from '../../support/folder.ts';
import { checkScreens, useConsole } from '../console/use-console.ts';
import { startApi } from '../operations/start-process.ts';
import { checkOn, screens } from './use-browser.ts';

const logo = join(useFolders()(), 'logo.svg');
writeFileSync(
  logo,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" onload="document.documentElement.id='ran'"><script>document.documentElement.id = 'ran'</script><circle cx="16" cy="16" r="16" fill="#f5b301"/></svg>`,
);
// A light yellow, which is not legible on white until it is darkened.
const brand = { BRAND_NAME: 'Acme "Papers"', BRAND_ACCENT: '#f5b301', BRAND_HELP_URL: 'https://help.example.com/a' };
const url = await startApi({ ...brand, BRAND_LOGO: logo }, afterAll);
const { anonymous, newClient } = await useService({ ...inject('stack'), url });
const open = useConsole(url);

test('the sign-in of the console has the name and the help link of the operator', async () => {
  const { page, close } = await open(undefined, { path: '/templates' });
  await expect.poll(() => page.title()).toBe('Sign in – Acme "Papers"');
  expect(await page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe(brand.BRAND_HELP_URL);
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

test('the pages of the console have the name, the logo, the colours and the help link', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open(apiKey, { path: '/templates' });
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('Templates – Acme "Papers"');
  const shell = page.locator('.layout');
  expect(await shell.locator('.brand').textContent()).toBe('Acme "Papers"');
  const shown = await shell.locator('.brand img').evaluate((image) => {
    const { src, naturalWidth } = image as { readonly src?: string; readonly naturalWidth?: number };
    return { address: src, width: naturalWidth };
  });
  expect(shown.address).toMatch(/\/brand\/logo\?v=[\w-]{16}$/);
  expect(shown.width).toBeGreaterThan(0);
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toBe(shown.address);
  expect(await shell.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe(brand.BRAND_HELP_URL);
  expect(await checkScreens(page)).toEqual([]);
  expect(await page.locator('body').textContent()).not.toContain('Docmill');
  await close();
});

test('home page and guide have them, too', async () => {
  const { page, close } = await open();
  for (const [path, title] of [
    ['/', 'Acme "Papers"'],
    ['/guide/guides/email.html', 'Send documents by e-mail · Acme "Papers" guide'],
  ] as const) {
    await page.goto(`${url}${path}`);
    expect(await page.title()).toBe(title);
    expect(await page.locator('.brand').textContent()).toBe('Acme "Papers"');
    expect(await page.getByRole('link', { name: 'Help', exact: true }).getAttribute('href')).toBe(brand.BRAND_HELP_URL);
    expect(await checkOn(page, screens)).toEqual([]);
  }
  await close();
});

test('a branded page is revalidated, and scripts of the logo do not run', async () => {
  const first = await anonymous.call('GET', '/guide/guides/email.html');
  const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' };
  expect((await anonymous.call('GET', '/guide/guides/email.html', { headers })).status).toBe(304);
  const { page, expectFailure, close } = await open();
  // The browser reports the script that it refuses to run.
  expectFailure('/brand/logo');
  await page.goto(`${url}/brand/logo`);
  expect(await page.locator('svg').getAttribute('id')).toBeNull();
  await close();
});
