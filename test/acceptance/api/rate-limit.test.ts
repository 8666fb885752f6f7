import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient, anonymous } = await useService(inject('stack'));
const limit = 1000;

test('every response to an account, even a rejection, shows what is left of the limit', async () => {
  const client = await newClient();
  const { id } = await client.template('a.docx', letter('{x}'));
  const first = await (await newClient()).call('GET', '/v1/templates');
  expect(first.headers.get('RateLimit')).toMatch(/^"default";r=999;/);
  const answers = [
    await client.call('GET', `/v1/templates/${id}/content`),
    await client.generate(id, { data: {} }),
    await client.generate(id, { data: [] }),
    await client.call('GET', '/v1/nothing'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('RateLimit-Policy')).toBe(`"default";q=${limit};w=10`);
    const [, left, resetSeconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
    expect(Number(left)).toBeLessThan(limit);
    expect(Number(resetSeconds)).toBeLessThanOrEqual(10);
  }
  expect((await anonymous.call('GET', '/v1/templates')).headers.get('RateLimit')).toBeNull();
});
