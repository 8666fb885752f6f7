import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { watchTelemetry } from '../../../src/shared/metrics/watch-telemetry.ts';
import { createTracing } from '../../../src/shared/tracing/create-tracing.ts';
import { listenOnLoopback } from '../../support/loopback.ts';

async function startCollector(status: number): Promise<string> {
  const collector = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(status).end()),
  );
  const { url, close } = await listenOnLoopback(collector);
  onTestFinished(close);
  return url;
}

test.each([
  [400, 1],
  [200, 0],
])('a collector that responds with %i causes %i failed exports of each signal', async (status, count) => {
  const tracing = createTracing({ endpoint: await startCollector(status), sampleRatio: 1, serviceName: 'test' });
  const registry = new Registry();
  watchTelemetry(registry, tracing);
  tracing.startSpan('work', { kind: 'internal' }).end();
  tracing.onLine(JSON.stringify({ level: 30, time: new Date(), msg: 'a line' }));
  await tracing.close();
  const text = await registry.metrics();
  expect(text).toContain(`docmill_telemetry_failed_exports_total{signal="traces"} ${count}`);
  expect(text).toContain(`docmill_telemetry_failed_exports_total{signal="logs"} ${count}`);
});
