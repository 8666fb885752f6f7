import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';

const { anonymous } = await useService(inject('stack'));

test('the reference page and all its assets come from the service itself', async () => {
  const page = await anonymous.call('GET', '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'/);
  const html = page.bytes.toString('utf8');
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(2);
  for (const link of [...links, '/openapi.json']) {
    expect(link).toMatch(/^\/(?!\/)/);
    const asset = await anonymous.call('GET', link);
    expect(asset.status).toBe(200);
    expect(asset.bytes.length).toBeGreaterThan(50);
  }
});

test('health needs no key, and reveals nothing else', async () => {
  expect((await anonymous.call('GET', '/healthz')).json()).toStrictEqual({ status: 'ok' });
  const ready = await anonymous.call('GET', '/readyz');
  expect(ready.status).toBe(200);
  expect(ready.json()).toMatchObject({ status: 'ready' });
  expect(ready.bytes.toString('utf8')).not.toMatch(/:\/\/|127\.0\.0\.1|\d{4,}/);
  expect((await anonymous.call('HEAD', '/healthz')).status).toBe(200);
});
