import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';

const { anonymous, url } = await useService(inject('stack'));
let browser: Browser;

beforeAll(async () => {
  // Root has no sandbox of its own; the pages are ours.
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
});
afterAll(() => browser.close());

interface Visit {
  readonly path: string;
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** Opens a page; `problems` are errors of scripts, what the policy refuses, and requests to other hosts. */
async function visit({ path, width, scheme }: Visit): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle' });
  return { page, problems };
}

const screens = [1440, 768, 390].flatMap((width) => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
]);

describe.each(screens)('on a screen of $width pixels, $scheme', (screen) => {
  test('the first page is accessible, and nothing leaves the screen', async () => {
    const { page, problems } = await visit({ path: '/', ...screen });
    await expect.poll(() => page.getByRole('status').textContent()).toBe('This service is ready');
    expect(await page.locator('pre').first().textContent()).toContain(`export URL=${url}`);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(screen.width);
    await page.evaluate(axe.source);
    const found = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the reference shows each operation with samples in three languages', async () => {
    const { page, problems } = await visit({ path: '/docs#/Documents/generateDocument', ...screen });
    const samples = page.getByRole('region', { name: 'Samples' });
    await expect.poll(() => samples.locator('code').textContent()).toMatch(/^curl .*\/generate"/);
    await samples.getByRole('button', { name: 'Python' }).click();
    await expect.poll(() => samples.locator('code').textContent()).toContain('httpx.post(');
    await samples.getByRole('button', { name: 'TypeScript' }).click();
    await expect.poll(() => samples.locator('code').textContent()).toContain('await fetch(');
    expect(problems).toEqual([]);
    await page.close();
  });
});

test('every link of the first page leads somewhere', async () => {
  const { page } = await visit({ path: '/', width: 1440, scheme: 'light' });
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  await page.close();
  expect(links).toContain('/docs');
  expect(links).toContain('/guide/');
  for (const link of new Set(links)) expect((await anonymous.call('GET', link)).status, link).toBe(200);
});

test('a program that asks for JSON gets the addresses', async () => {
  const answer = await anonymous.call('GET', '/', { headers: { Accept: 'application/json' } });
  expect(answer.headers.get('Vary')).toContain('Accept');
  const { guide, reference, openapi, health, readiness } = answer.json<Record<string, string>>();
  for (const path of [guide, reference, openapi, health, readiness])
    expect((await anonymous.call('GET', String(path))).status, path).toBe(200);
  const html = await anonymous.call('GET', '/', { headers: { Accept: '*/*' } });
  expect(html.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(html.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
});
