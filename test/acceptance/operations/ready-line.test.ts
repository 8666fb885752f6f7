import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, inject, test, vi } from 'vitest';
import { fontVariables } from '../../support/fonts.ts';
import { isRunning } from '../../support/services/processes.ts';

const stack = inject('stack');

test('every process it lists is running', () => {
  const { workers, ...single } = stack.pids;
  expect(workers).toHaveLength(1);
  expect(Object.keys(single).sort()).toEqual(['api', 'mail', 'postgres', 'redis', 's3', 'stack']);
  expect([...Object.values(single), ...workers].filter((pid) => !isRunning(pid))).toEqual([]);
});

test('its API key belongs to the demo account with 1000 documents, 50 templates and 100 credits', async () => {
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

test('its variables are sufficient for another worker', async () => {
  const { PATH } = process.env;
  const operationsPort = await freePort();
  const worker = spawn(process.execPath, ['dist/worker/main.js'], {
    env: { PATH, ...fontVariables, ...stack.env, METRICS_PORT: String(operationsPort) },
    stdio: 'ignore',
  });
  const left = once(worker, 'exit');
  try {
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${operationsPort}/readyz`)).status).toBe(200), {
      timeout: 180_000,
      interval: 200,
    });
  } finally {
    worker.kill('SIGTERM');
  }
  expect(await left).toEqual([0, null]);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
