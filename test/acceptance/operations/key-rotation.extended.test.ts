import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';

const { clientOf, operator } = await useService(inject('stack'));

test('a key is rotated under load: no call fails with either secret, and the previous one ends with its overlap', async () => {
  const { keyId, apiKey: before } = await operator.createAccount({ docs: 10_000 });
  const { id } = await clientOf(before).template('letter.docx', letter('Dear {name}'));
  const results: { apiKey: string; receivedAtMs: number; status: number }[] = [];
  let secrets = [before];
  let isDone = false;
  // Six programs, half of which keep the previous secret.
  const program = async (index: number): Promise<void> => {
    while (!isDone) {
      const apiKey = secrets[index % secrets.length] ?? before;
      const { status } = await clientOf(apiKey).generate(id, { data: { name: 'Ann' } });
      results.push({ apiKey, receivedAtMs: Date.now(), status });
      await delay(50);
    }
  };
  const programs = Array.from({ length: 6 }, (_, index) => program(index));
  const used = () => new Set(results.map(({ apiKey }) => apiKey));
  await expect.poll(used).toEqual(new Set([before]));
  const rotated = await operator.run<{ apiKey: string; previousSecretUntil: string }>('rotate-key', {
    key: keyId,
    overlap: '10s',
  });
  secrets = [before, rotated.apiKey];
  await expect.poll(used).toEqual(new Set([before, rotated.apiKey]));
  await expect.poll(async () => (await clientOf(before).call('GET', '/v1/account/quotas')).status).toBe(401);
  isDone = true;
  await Promise.all(programs);
  const endMs = Date.parse(rotated.previousSecretUntil);
  const within = results.filter(({ apiKey, receivedAtMs }) => apiKey === rotated.apiKey || receivedAtMs < endMs);
  expect(new Set(within.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a secret that is ended at once stops working within the lifetime of the cache', async () => {
  const { keyId, apiKey: before } = await operator.createAccount();
  const statusOf = async (apiKey: string) => (await clientOf(apiKey).call('GET', '/v1/account/quotas')).status;
  expect(await statusOf(before)).toBe(200);
  const { apiKey } = await operator.run<{ apiKey: string }>('rotate-key', { key: keyId, overlap: '0s' });
  expect(await statusOf(apiKey)).toBe(200);
  await expect.poll(() => statusOf(before)).toBe(401);
  expect(await statusOf(apiKey)).toBe(200);
});

test('the list of keys shows the end of the overlap', async () => {
  const { accountId, keyId } = await operator.createAccount();
  const rotated = await operator.run<{ previousSecretUntil: string }>('rotate-key', { key: keyId, overlap: '2h' });
  const { keys } = await operator.run<{ keys: object[] }>('list-keys', { account: accountId });
  expect(keys).toMatchObject([{ keyId, previousSecretUntil: rotated.previousSecretUntil }]);
});
