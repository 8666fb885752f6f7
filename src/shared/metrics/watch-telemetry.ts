import { Counter, type Registry } from 'prom-client';
import type { Tracing } from '../tracing/tracing.ts';

/** `docmill_telemetry_failed_exports_total` by signal; absent without OpenTelemetry. */
export function watchTelemetry(registry: Registry, tracing: Pick<Tracing, 'failedExports'> | undefined): void {
  if (tracing === undefined) return;
  new Counter({
    name: 'docmill_telemetry_failed_exports_total',
    help: 'Exports of spans and log lines to the collector that failed. What they held is dropped.',
    labelNames: ['signal'],
    registers: [registry],
    collect() {
      this.reset();
      const { spans, lines } = tracing.failedExports();
      this.inc({ signal: 'traces' }, spans);
      this.inc({ signal: 'logs' }, lines);
    },
  });
}
