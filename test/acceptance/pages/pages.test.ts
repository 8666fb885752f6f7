import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { checkOn, desktop, screens, showOn, useBrowser } from './use-browser.ts';

const { anonymous, url } = await useService(inject('stack'));
const open = useBrowser((address) => address.startsWith(`${url}/`) || address.startsWith('data:'));
const visit = (path: string) => open(`${url}${path}`, desktop);

test('the first page is accessible on every screen, and nothing leaves it', async () => {
  const { page, problems } = await visit('/');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('This service is ready');
  await expect.poll(() => page.locator('pre').first().textContent()).toContain(`export URL=${url}`);
  expect(await checkOn(page, screens)).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

test('the reference shows each operation with samples in three languages, on every screen', async () => {
  const { page, problems } = await visit('/docs#/Documents/generateDocument');
  const samples = page.getByRole('region', { name: 'Samples' });
  const languages = [
    ['curl', /^curl .*\/generate"/],
    ['Python', /httpx\.post\(/],
    ['TypeScript', /await fetch\(/],
  ] as const;
  for (const screen of screens) {
    await showOn(page, screen);
    for (const [language, sample] of languages) {
      await samples.getByRole('button', { name: language }).click();
      await expect.poll(() => samples.locator('code').textContent()).toMatch(sample);
    }
  }
  expect(problems).toEqual([]);
  await page.close();
});

test('every link of the first page leads somewhere', async () => {
  const { page } = await visit('/');
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  await page.close();
  expect(links).toContain('/docs');
  expect(links).toContain('/console/');
  expect(links).toContain('/guide/');
  for (const link of new Set(links)) expect((await anonymous.call('GET', link)).status, link).toBe(200);
});

test('a program that asks for JSON gets the addresses', async () => {
  const answer = await anonymous.call('GET', '/', { headers: { Accept: 'application/json' } });
  expect(answer.headers.get('Vary')).toContain('Accept');
  const { console, guide, reference, openapi, llms, health, readiness } = answer.json<Record<string, string>>();
  for (const path of [console, guide, reference, openapi, llms, health, readiness])
    expect((await anonymous.call('GET', String(path))).status, path).toBe(200);
  const html = await anonymous.call('GET', '/', { headers: { Accept: '*/*' } });
  expect(html.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(html.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
});

test('every link of llms.txt leads somewhere, and every operation is listed', async () => {
  const text = (await anonymous.call('GET', '/llms.txt')).bytes.toString('utf8');
  expect(text).toMatch(/^# Docmill\n\n> .+\n/);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const { paths } = (await anonymous.call('GET', '/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string }>>;
  }>();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(links.flatMap((link) => /^docs#\/[A-Z][a-z]+\/(\w+)$/.exec(link)?.[1] ?? []).sort()).toEqual(
    operations.map(({ operationId }) => operationId).sort(),
  );
  for (const link of new Set(links.map((target) => target.replace(/#.*/, ''))))
    expect((await anonymous.call('GET', `/${link}`)).status, link).toBe(200);
});
