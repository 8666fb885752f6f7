import type { Executor, Transaction } from '../../db/client.ts';
import { guarded } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { refuseChange } from './expected-state.ts';
import { findTemplate } from './find-template.ts';
import type { TemplateRecord } from './template-record.ts';

/**
 * Runs a guarded change of a template's row and answers the state it made, not that of a change that came after. Throws
 * `not_found` or `conflict` when the change met no row.
 */
export function changeTemplate(
  db: Executor,
  of: { readonly accountId: string; readonly templateId: string },
  change: (tx: Transaction) => Promise<readonly unknown[]>,
): Promise<TemplateRecord> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const rows = await change(tx);
      if (rows.length === 0) return refuseChange(tx, of.accountId, of.templateId);
      return findTemplate(tx, of.accountId, of.templateId);
    }),
  );
}
