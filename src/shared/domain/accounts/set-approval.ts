import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { requireOpenAccount } from './require-open-account.ts';

export interface ApprovalSetting {
  readonly accountId: string;
  readonly needsApproval: boolean;
}

/**
 * Sets whether new versions of the account's templates are drafts until another person approves them. Versions that
 * exist keep their state. Throws `not_found`, and `conflict` for an account that is being deleted.
 */
export async function setApproval(
  db: Executor,
  { accountId, needsApproval }: ApprovalSetting,
): Promise<ApprovalSetting> {
  await requireOpenAccount(db, accountId);
  await run(
    db,
    db
      .update(accounts)
      .set({ needsApproval })
      .where(and(eq(accounts.id, accountId), isNull(accounts.deletingSince))),
  );
  return { accountId, needsApproval };
}
