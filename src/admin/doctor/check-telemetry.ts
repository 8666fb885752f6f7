import { loadTelemetryConfig } from '../../shared/config/load-config.ts';
import { parseHeaders } from '../../shared/tracing/start-tracing.ts';
import { type Finding, ok, reasonOf, warning } from './finding.ts';

const limitMs = 5_000;

/** Sends an empty export (OTLP/HTTP) to the collector, if there is one. */
export async function checkTelemetry(): Promise<readonly Finding[]> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = loadTelemetryConfig();
  if (endpoint === undefined) return [ok('telemetry', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set: nothing is exported')];
  const fix = 'Check OTEL_EXPORTER_OTLP_ENDPOINT: the OTLP/HTTP receiver of a collector, usually port 4318';
  try {
    const response = await fetch(`${endpoint.replace(/\/$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...parseHeaders(headers), 'Content-Type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(limitMs),
    });
    if (response.ok) return [ok('telemetry', 'the collector accepts spans')];
    return [warning('telemetry', `the collector answers ${response.status}`, fix)];
  } catch (error) {
    return [warning('telemetry', `the collector does not answer: ${reasonOf(error)}`, fix)];
  }
}
