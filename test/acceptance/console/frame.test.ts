import { describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { violationsOf } from '../pages/use-browser.ts';
import { acceptLink, checkScreens, loaded, useConsole } from './use-console.ts';

const { anonymous, newClient, url } = await useService(inject('stack'));
const open = useConsole(url);
const phone = { width: 390, scheme: 'light' } as const;

describe('the files of the console', () => {
  const assetsOf = async (): Promise<readonly string[]> => {
    const page = (await anonymous.call('GET', '/console/')).bytes.toString('utf8');
    return [...page.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, path = '']) => `/console/${path}`);
  };

  test('are compressed and cached forever, and the page is revalidated', async () => {
    const assets = await assetsOf();
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      const answer = await anonymous.call('GET', path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer.headers.get('Cache-Control'), path).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('Content-Encoding'), path).toBe('gzip');
      const headers = { 'If-None-Match': answer.headers.get('ETag') ?? '' };
      expect((await anonymous.call('GET', path, { headers })).status, path).toBe(304);
    }
    const page = await anonymous.call('GET', '/console/templates/tpl_1/playground');
    expect(page.headers.get('Cache-Control')).toBe('no-cache');
    expect(page.bytes.toString('utf8')).toContain('"./../../assets/');
    const headers = { 'If-None-Match': page.headers.get('ETag') ?? '' };
    expect((await anonymous.call('GET', '/console/templates/tpl_1/playground', { headers })).status).toBe(304);
    const head = await anonymous.call('HEAD', '/console/templates');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test('have a policy that lets no markup become script, and other methods and files are refused', async () => {
    const page = await anonymous.call('GET', '/console/');
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expectProblem(await anonymous.call('GET', '/console/assets/missing.js'), 404, /no such file/);
    expectProblem(await anonymous.call('POST', '/console/templates'), 405);
  });
});

test('the console works below another path, behind a proxy that removes it', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open();
  const prefix = `${url}/docmill`;
  await page.route(`${prefix}/**`, async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace(prefix, url), maxRedirects: 0 });
    await route.fulfill({ response: answer });
  });
  await page.goto('about:blank');
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${prefix}/`)) elsewhere.push(request.url());
  });
  await page.goto(`${prefix}/console/templates/none/nothing#key=${apiKey}`);
  await acceptLink(page);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Go to the first page' }).click();
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await expect.poll(() => page.url()).toBe(`${prefix}/console/templates`);
  // Closing ends the proxy first, so a later request would be refused.
  await loaded(page);
  expect(elsewhere).toEqual([]);
  await close();
});

test('the page for an unknown address is accessible', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open(apiKey, { path: '/%3Cscript%3Ealert(1)%3C/script%3E' });
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  await expect.poll(() => page.title()).toContain('This page does not exist');
  expect(await checkScreens(page)).toEqual([]);
  await close();
});

describe('the keyboard alone', () => {
  const focused = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()';

  test('skips to the content with the first Tab', async () => {
    const { apiKey } = await newClient();
    const { page, close } = await open(apiKey);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate<string>(focused)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('content');
    await close();
  });

  test('opens the menu on a phone and closes it with Escape, and the focus is not trapped', async () => {
    const { apiKey } = await newClient();
    const { page, close } = await open(apiKey, { screen: phone });
    const menu = page.getByRole('button', { name: 'Open the menu' });
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await link.waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate<string>(focused)).toBe('Templates');
    expect(await violationsOf(page, phone)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate<string>(focused)).toBe('Open the menu');
    await page.keyboard.press('Enter');
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => link.isVisible()).toBe(false);
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe('content');
    await close();
  });
});

test('Back restores the position in a list, and a new page begins at its top', async () => {
  const client = await newClient();
  const names = Array.from({ length: 8 }, (_, number) => `letter-${number}.docx`);
  await Promise.all(names.map((name) => client.template(name, letter('Dear {name}'))));
  const { page, close } = await open(client.apiKey, { path: '/templates' });
  await page.setViewportSize({ width: 1280, height: 260 });
  await expect.poll(() => page.getByText(/^letter-\d/).count()).toBeGreaterThanOrEqual(8);
  await page.evaluate('scrollTo(0, 150)');
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(150);
  await page.evaluate('document.querySelector(".brand").focus({ preventScroll: true })');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link').last().click();
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0);
  await page.goBack();
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(150);
  await loaded(page);
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(150);
  await close();
});

test('a printed page shows only its content, and nothing moves for users who prefer reduced motion', async () => {
  const { apiKey } = await newClient();
  const { page, close } = await open(apiKey);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
  const moving = `[...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || !/^0s(, 0s)*$/.test(transitionDuration);
  }).length`;
  await expect.poll(() => page.evaluate<number>(moving)).toBe(0);
  await close();
});
