import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { checkOn, desktop, screens, useBrowser } from './use-browser.ts';

const { anonymous, url, newClient } = await useService(inject('stack'));
const { apiKey } = await newClient();
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
  await page.waitForURL(`${url}/guide/api/documents.html#generateDocument`);
  const languages = [
    ['curl', /^curl .*\/generate"/],
    ['Python', /httpx\.post\(/],
    ['TypeScript', /await fetch\(/],
  ] as const;
  const buttons = page.getByRole('group', { name: 'Language of the samples' }).first();
  const shown = page.locator('[data-sample]:visible').first();
  for (const [language, sample] of languages) {
    await buttons.getByRole('button', { name: language }).click();
    await expect.poll(() => shown.textContent()).toMatch(sample);
  }
  expect(await checkOn(page, screens)).toEqual([]);
  await page.reload();
  await expect.poll(() => shown.textContent()).toMatch(/await fetch\(/);
  expect(problems).toEqual([]);
  await page.close();
});

test('an operation is tried in the reference, with a key that is not kept', async () => {
  const { page, problems } = await visit('/guide/api/account.html');
  const operation = page.locator('.code', { hasText: 'GET /v1/account/quotas' });
  await operation.locator('+ button').click();
  const form = page.getByRole('form', { name: 'Send GET /v1/account/quotas' });
  await form.getByLabel('API key').fill(apiKey);
  await form.getByRole('button', { name: 'Send' }).click();
  const answer = form.getByRole('status');
  await expect.poll(() => answer.textContent()).toMatch(/^200 .*"allocated"/s);
  await form.getByLabel('API key').fill('dts_wrong');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => answer.textContent()).toMatch(/^401 .*"message"/s);
  expect(await checkOn(page, screens)).toEqual([]);
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toContain(apiKey);
  // The browser reports each refused request.
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  await page.close();
});

test('every link of the first page leads somewhere', async () => {
  const { page } = await visit('/');
  const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  await page.close();
  const paths = links.map((link) => new URL(link, url).pathname);
  expect(paths).toEqual(expect.arrayContaining(['/console/', '/guide/index.html', '/guide/api/index.html']));
  for (const path of new Set(paths)) expect((await anonymous.call('GET', path)).status, path).toBe(200);
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
  expect(links.flatMap((link) => /^guide\/api\/[a-z]+\.html#(\w+)$/.exec(link)?.[1] ?? []).sort()).toEqual(
    operations.map(({ operationId }) => operationId).sort(),
  );
  for (const link of new Set(links.map((target) => target.replace(/#.*/, ''))))
    expect((await anonymous.call('GET', `/${link}`)).status, link).toBe(200);
});
