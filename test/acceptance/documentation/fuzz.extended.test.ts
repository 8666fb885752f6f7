import { expect, inject, test } from 'vitest';
import { fuzz } from '../../../tools/fuzz/run.ts';
import { byServer, createOperator } from '../../support/client/operator.ts';

const { url, operatorUrl = '' } = inject('stack');

test('1,000 requests made from the OpenAPI document get documented answers', async () => {
  const operator = createOperator(byServer(operatorUrl));
  const plan = { docs: 100_000, templates: 10_000 };
  const [own, other] = [await operator.createAccount(plan), await operator.createAccount(plan)];
  const report = await fuzz({ url, apiKey: own.apiKey, otherKey: other.apiKey, requests: 1_000, seed: 3 });
  expect(report.violations).toEqual([]);
  expect(report.sent).toBe(1_000);
  expect(report.counts.size).toBeGreaterThan(40);
});
