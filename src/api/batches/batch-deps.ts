import type { KeyedLimiter } from '../../shared/keyed-limiter.ts';
import type { DocumentDeps } from '../documents/document-deps.ts';
import type { AccountLimit } from '../http/account-limit.ts';
import type { BatchMonitor } from './batch-monitor.ts';

/** The dependencies for accepting batches and observing them. */
export interface BatchDeps extends DocumentDeps {
  readonly batchUploads: AccountLimit;
  /** Limits batches that are writing their rows, because each holds a pooled connection for seconds. */
  readonly batchWrites: KeyedLimiter;
  readonly batchMonitor: BatchMonitor;
}
