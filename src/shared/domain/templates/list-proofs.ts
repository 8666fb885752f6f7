import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { layoutProofs } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import type { ClaimedProofState } from '../documents/document-record.ts';
import type { ProofOf } from './layout-proofs.ts';

/** The proofs of a version, in the form that a claimed document has them. The caller checks the account. */
export async function listProofs(
  db: Executor,
  { templateId, version }: Pick<ProofOf, 'templateId' | 'version'>,
): Promise<readonly ClaimedProofState[]> {
  const { layoutKey, state, checked, reasons } = layoutProofs;
  const rows = await run(
    db,
    db
      .select({ layoutKey, state, checked, reasons })
      .from(layoutProofs)
      .where(and(eq(layoutProofs.templateId, templateId), eq(layoutProofs.version, version))),
  );
  return rows.map(({ reasons: [reason = null], ...proof }) => ({ ...proof, reason }));
}
