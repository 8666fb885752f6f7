import type { CommonConfig } from '../config/load-config.ts';
import type { Tracing } from './tracing.ts';

/**
 * Undefined unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set: then neither SDK nor exporters are loaded.
 * `serviceName` is the name of the process in traces.
 */
export async function startTracing(config: CommonConfig, serviceName: string): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = config;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing({ endpoint, sampleRatio, serviceName });
}
