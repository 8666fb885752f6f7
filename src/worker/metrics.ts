import { Counter, Histogram, type Registry } from 'prom-client';
import type { QueueName } from '../shared/config/worker-variables.ts';
import type { OutputFormat } from '../shared/domain/generations/generation-record.ts';
import type { ErrorCode } from '../shared/errors.ts';

export interface WorkerMetrics {
  /** A run of a job ended; `retried` is run again. */
  job(queue: QueueName, outcome: 'done' | 'retried' | 'failed', durationMs: number): void;
  /** An attempt at a document ended; `retried` is made again. */
  document(format: OutputFormat, outcome: 'succeeded' | 'retried' | 'failed', code?: ErrorCode): void;
  /** An attempt at an e-mail or a webhook ended: with the status of the delivery since. */
  delivery(kind: 'mail' | 'webhook', status: string): void;
}

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * `docmill_jobs_total` and `docmill_job_duration_seconds` by queue, `docmill_documents_total` by format, outcome and error, and
 * `docmill_deliveries_total` by kind and status.
 */
export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const jobs = new Counter({
    name: 'docmill_jobs_total',
    help: 'Runs of jobs that ended.',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'docmill_job_duration_seconds',
    help: 'How long runs of jobs took.',
    labelNames: ['queue'],
    buckets: bucketsSeconds,
    registers,
  });
  const documents = new Counter({
    name: 'docmill_documents_total',
    help: 'Attempts at documents that ended; code is that of the error, or empty.',
    labelNames: ['format', 'outcome', 'code'],
    registers,
  });
  const deliveries = new Counter({
    name: 'docmill_deliveries_total',
    help: 'Attempts at e-mails and webhooks that ended; a pending one is tried again.',
    labelNames: ['kind', 'status'],
    registers,
  });
  return {
    job(queue, outcome, durationMs) {
      jobs.inc({ queue, outcome });
      durations.observe({ queue }, durationMs / 1_000);
    },
    document: (format, outcome, code) => documents.inc({ format, outcome, code: code ?? '' }),
    delivery: (kind, status) => deliveries.inc({ kind, status }),
  };
}
