import { removeOldActs, removeOldKeyUse } from '../../shared/domain/audit/remove-old-entries.ts';
import type { WorkerDeps } from '../deps.ts';

const rowsAtOnce = 500;

/** Removes old entries from the audit log and the key usage, until `untilMs`. */
export async function expireAudit({ db, config }: WorkerDeps, untilMs: number): Promise<void> {
  const days = config.AUDIT_DAYS;
  while ((await removeOldActs(db, days, rowsAtOnce)) === rowsAtOnce && performance.now() < untilMs);
  while ((await removeOldKeyUse(db, days, rowsAtOnce)) === rowsAtOnce && performance.now() < untilMs);
}
