import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';

const { anonymous } = await useService(inject('stack'));

test('health needs no key, and reveals nothing else', async () => {
  expect((await anonymous.call('GET', '/healthz')).json()).toStrictEqual({ status: 'ok' });
  const ready = await anonymous.call('GET', '/readyz');
  expect(ready.status).toBe(200);
  expect(ready.json()).toMatchObject({ status: 'ready' });
  expect(ready.bytes.toString('utf8')).not.toMatch(/:\/\/|127\.0\.0\.1|\d{4,}/);
  expect((await anonymous.call('HEAD', '/healthz')).status).toBe(200);
});
