import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { checkOn, desktop, screens, useBrowser } from './use-browser.ts';

const { anonymous, url } = await useService(inject('stack'));
const open = useBrowser((address) => address.startsWith(`${url}/guide/`));
const visit = (path: string) => open(`${url}/guide/${path}`, desktop);

test.each([
  'index.html',
  'guides/getting-started.html',
  'reference/template-language.html',
  'reference/configuration.html',
  'operations/proxies.html',
])('%s is accessible on every screen, and nothing leaves it', async (path) => {
  const { page, problems } = await visit(path);
  expect(await checkOn(page, screens)).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

test('the search finds a page by words of its text, with the keyboard alone, on every screen', async () => {
  const { page, problems } = await visit('index.html');
  await page.keyboard.press('/');
  await page.keyboard.type('pictures of barcodes');
  const results = page.getByRole('dialog').getByRole('listitem');
  await expect.poll(() => results.count()).toBeGreaterThan(0);
  await page.getByRole('searchbox').fill('Idempotency-Key');
  await expect.poll(() => results.first().textContent()).toMatch(/idempoten/i);
  expect(await checkOn(page, screens)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL((address) => !address.pathname.endsWith('/index.html'));
  await expect.poll(() => page.locator('article h1').count()).toBe(1);
  expect(problems).toEqual([]);
  await page.close();
});

test('the search shows when it finds nothing, and finds a mistyped word', async () => {
  const { page } = await visit('index.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('zzzzqqqq');
  await expect.poll(() => page.getByRole('dialog').getByRole('status').textContent()).toContain('Nothing was found');
  await page.getByRole('searchbox').fill('idempotncy');
  await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBeGreaterThan(0);
  await page.close();
});

test('the search leads to where a subject is explained, in guides and the reference before decisions', async () => {
  const { page } = await visit('index.html');
  await page.keyboard.press('/');
  const results = page.getByRole('dialog').getByRole('listitem').getByRole('link');
  const ofGuides = /^(?!.*\/(design\/|changelog)).*(guides|reference)/;
  for (const [word, place] of [
    ['Schleife', /template-(language|cheat-sheet)/],
    ['Seitenumbruch', /template-(language|cheat-sheet)|guides\//],
    ['boucle', /template-(language|cheat-sheet)/],
    ['Kopfzeile', /template-language|first-invoice|generate|templates/],
    ['saut de page', /template-(language|cheat-sheet)/],
    ['modele', /guides\/templates/],
    ['Tabellenspalte', /template-(language|cheat-sheet)/],
    ['repeter', /template-(language|cheat-sheet)/],
    ['somme', /template-(language|cheat-sheet)/],
    ['modèle', /guides\/|reference\//],
    ['picture', /assets|template-(language|cheat-sheet)/],
    ['error', /guides\/|reference\//],
    ['watermark', ofGuides],
  ] as const) {
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => results.count()).toBe(0);
    await page.keyboard.type(word);
    await expect.poll(() => results.first().getAttribute('href'), { message: word }).toMatch(place);
  }
  await page.close();
});

test('the guide works below another path, behind a proxy that removes it', async () => {
  const { page } = await visit('guides/email.html');
  const prefix = `${url}/docmill`;
  await page.route(`${prefix}/**`, async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace(prefix, url), maxRedirects: 0 });
    await route.fulfill({ response: answer });
  });
  // Requests that the first page still sends do not count.
  await page.goto('about:blank');
  const failed: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${prefix}/`)) failed.push(request.url());
  });
  await page.goto(`${prefix}/guide/guides/email.html`);
  await expect
    .poll(() => page.evaluate<string>('getComputedStyle(document.querySelector(".page")).display'))
    .toBe('grid');
  await page.keyboard.press('/');
  await page.keyboard.type('webhook');
  await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'Neighbours' }).getByRole('link').last().click();
  await expect.poll(() => page.url()).not.toContain('email.html');
  expect(failed).toEqual([]);
  // Otherwise a request in progress would fail after the test, when the page closes.
  await page.unrouteAll({ behavior: 'wait' });
  await page.close();
});

test('pages of the guide need no key, and other methods are refused', async () => {
  const page = await anonymous.call('GET', '/guide/guides/email.html');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/script-src 'self'; style-src 'self';/);
  expect(page.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const posted = await anonymous.call('POST', '/guide/guides/email.html');
  expectProblem(posted, 405, /GET, HEAD/);
  expect(posted.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  expectProblem(await anonymous.call('GET', '/guide/missing.html'), 404, /The guide has no such page/);
});
