import type { CommonConfig } from '../config/load-config.ts';
import type { Tracing } from './tracing.ts';

/**
 * Undefined unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set; without it, neither the SDK nor the exporters are loaded.
 * `serviceName` is the name of the process in traces.
 */
export async function startTracing(config: CommonConfig, serviceName: string): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = config;
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./create-tracing.ts');
  return createTracing({ endpoint, sampleRatio, serviceName, headers: parseHeaders(headers) });
}

/**
 * Parses `name=value` pairs separated by commas, percent-encoded (OpenTelemetry Protocol Exporter, "Specifying
 * headers").
 */
export function parseHeaders(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[decode(pair.slice(0, at).trim()), decode(pair.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
