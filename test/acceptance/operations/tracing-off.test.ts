import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Imports everything that a process imports, and prints how many modules of OpenTelemetry are loaded without and with
 * an endpoint. The modules of its API do not count, because prom-client loads them itself.
 */
const program = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((file) => /@opentelemetry.(?!api.)/.test(file)).length;
  const { startTracing } = await import('./dist/shared/tracing/start-tracing.js');
  await Promise.all(['api/app', 'worker/start-workers', 'shared/connections'].map((file) => import('./dist/' + file + '.js')));
  const config = { OTEL_TRACES_SAMPLER_ARG: 1 };
  const isStarted = (await startTracing(config, 'test')) !== undefined;
  const without = loaded();
  await startTracing({ ...config, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, 'test');
  console.log(JSON.stringify({ isStarted, without, withEndpoint: loaded() }));
  process.exit(0);
`;

test('neither SDK nor exporters of OpenTelemetry are loaded without an endpoint', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const { isStarted, without, withEndpoint } = JSON.parse((await run).stdout) as Readonly<Record<string, unknown>>;
  expect({ isStarted, without }).toEqual({ isStarted: false, without: 0 });
  expect(withEndpoint).toBeGreaterThan(50);
});
