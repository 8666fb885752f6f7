import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AccountLimit } from './http/account-limit.ts';
import type { FinishedRequest } from './middleware/request-log.ts';

export interface ApiMetrics {
  observe(request: FinishedRequest, durationMs: number): void;
}

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `docmill_http_requests_total`, `docmill_http_request_duration_seconds` and `docmill_http_errors_total`. */
export function createApiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'docmill_http_requests_total',
    help: 'Finished requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'docmill_http_request_duration_seconds',
    help: 'Time from a request to the start of its response.',
    labelNames: ['method', 'route'],
    buckets: bucketsSeconds,
    registers,
  });
  const errors = new Counter({
    name: 'docmill_http_errors_total',
    help: 'Rejected and failed requests, by error code.',
    labelNames: ['code'],
    registers,
  });
  return {
    observe({ method, route, status, code }, durationMs) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1_000);
      if (code !== undefined) errors.inc({ code });
    },
  };
}

/** `docmill_http_waiting_requests`: requests of this process that wait for a document or an upload. */
export function watchWaitingRequests(registry: Registry, limit: AccountLimit): void {
  new Gauge({
    name: 'docmill_http_waiting_requests',
    help: 'Requests of this process that wait for a document or an upload.',
    registers: [registry],
    collect() {
      this.set(limit.inUse());
    },
  });
}
