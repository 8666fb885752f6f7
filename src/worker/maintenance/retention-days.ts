import type { WorkerConfig } from '../../shared/config/load-config.ts';

export const dayMs = 86_400_000;

type Retention = Pick<
  WorkerConfig,
  | 'RETENTION_DOCUMENTS_DAYS'
  | 'RETENTION_LEDGER_DAYS'
  | 'RETENTION_DELIVERIES_DAYS'
  | 'RETENTION_BATCHES_DAYS'
  | 'RESULT_TTL_SECONDS'
>;

const forEver = (days: number): number => (days === 0 ? Number.POSITIVE_INFINITY : days);

/**
 * How long rows are kept, in days; infinity means forever. Documents outlive their files, the ledger outlives the
 * documents, and batches do not outlive the documents that they list.
 */
export function retentionDays(config: Retention) {
  const fileDays = Math.ceil((config.RESULT_TTL_SECONDS * 1_000) / dayMs) + 1;
  const documents = Math.max(forEver(config.RETENTION_DOCUMENTS_DAYS), fileDays);
  return {
    documents,
    ledger: Math.max(forEver(config.RETENTION_LEDGER_DAYS), documents),
    deliveries: Math.max(forEver(config.RETENTION_DELIVERIES_DAYS), fileDays),
    batches: Math.min(Math.max(forEver(config.RETENTION_BATCHES_DAYS), fileDays), documents),
  };
}
