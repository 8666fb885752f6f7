import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { saved, useBrowser } from '../pages/use-browser.ts';

const { newClient, url } = await useService(inject('stack'));
const open = useBrowser((address) => address.startsWith(`${url}/`) || /^(blob|data):/.test(address), 'load');

/** The policy that docs/guides/console.md asks of a page with the element. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' blob: data:; require-trusted-types-for 'script'; trusted-types docmill";

test('the element shows a template in another page, with its own styles and events', async () => {
  const client = await newClient();
  const { id } = await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}') }));
  const { page, problems } = await open(`${url}/healthz`, { width: 1280, scheme: 'light' });
  await page.route(`${url}/shop/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({
          contentType: 'text/javascript',
          body: `const element = document.querySelector('docmill-playground');
            element.apiKey = async () => '${client.apiKey}';
            element.addEventListener('generated', ({ detail }) => { document.title = detail.filename; });`,
        })
      : route.fulfill({
          contentType: 'text/html',
          headers: { 'Content-Security-Policy': policy },
          body: `<!doctype html><title>Shop</title><p class="panel">Shop</p><docmill-playground template="${id}"></docmill-playground>
            <script type="module" src="/shop/page.js"></script><script type="module" src="${url}/console/playground.js"></script>`,
        }),
  );
  await page.goto(`${url}/shop/`);
  await page.locator('.pdf-page canvas').first().waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await expect.poll(() => page.locator('.pdf-text').first().textContent()).toContain('Ada');
  await expect
    .poll(() => page.evaluate<string>('getComputedStyle(document.querySelector("p.panel")).borderRadius'))
    .toBe('0px');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByRole('textbox', { name: 'Data as JSON' }).waitFor();
  await saved(page, () => page.getByRole('button', { name: 'Generate' }).click());
  await expect.poll(() => page.title()).toBe('letter.pdf');
  expect(problems.filter((problem) => !problem.includes('favicon'))).toEqual([]);
  await page.unrouteAll({ behavior: 'wait' });
  await page.close();
});
