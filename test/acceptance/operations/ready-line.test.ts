import { expect, inject, test } from 'vitest';
import { isRunning } from '../../support/services/processes.ts';
import { startProcess } from './start-process.ts';

const stack = inject('stack');

test('every process in the line is running', () => {
  const { workers, ...single } = stack.pids;
  expect(workers).toHaveLength(1);
  expect(Object.keys(single).sort()).toEqual(['api', 'mail', 'postgres', 'redis', 's3', 'stack']);
  expect([...Object.values(single), ...workers].filter((pid) => !isRunning(pid))).toEqual([]);
});

test('the API key of the line belongs to the demo account, with 1000 documents, 50 templates and 100 credits', async () => {
  const answer = await fetch(`${stack.url}/v1/account/quotas`, {
    headers: { authorization: `Bearer ${stack.apiKey}` },
  });
  expect(await answer.json()).toMatchObject({
    allocated: { subscriptions: { docs: 1000, templates: 50 }, credits: { docs: 100 }, total: { docs: 1100 } },
  });
});

test('the API and the worker serve metrics at the listed addresses', async () => {
  expect(stack.metricsUrls).toHaveLength(2);
  for (const url of stack.metricsUrls) {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^process_cpu_seconds_total /m);
  }
});

test('the variables of the line are sufficient for another worker, which exits on a signal', async () => {
  // Queues of its own, because other files expect the logs and metrics of their documents in the listed processes.
  const variables = { WORKER_QUEUES: 'docx,mail', QUEUE_PREFIX: 'ready-line' };
  const { line, stop } = await startProcess('worker', 'worker ready', variables);
  expect((await fetch(`http://127.0.0.1:${String(line.metricsPort)}/readyz`)).status).toBe(200);
  expect(await stop()).toBe(0);
});
