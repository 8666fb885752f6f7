import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { subscriptions } from '../../db/schema/quota.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { type KeyRecord, listKeys } from '../api-keys/list-keys.ts';
import type { OwnEmailLimits } from '../deliveries/email-limits.ts';

export interface AccountRecord {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Null while its keys are accepted. */
  readonly suspendedAt: Date | null;
  readonly deletingSince: Date | null;
  /** Whether new versions of its templates are drafts until another person approves them. */
  readonly needsApproval: boolean;
  /** Null for the limits of the service. */
  readonly emailLimits: OwnEmailLimits;
  readonly subscription: { readonly docs: number; readonly templates: number; readonly anchorDay: number } | null;
  readonly keys: readonly KeyRecord[];
}

export async function findAccount(db: Executor, accountId: string): Promise<AccountRecord> {
  const { docs, templates, anchorDay } = subscriptions;
  const [account] = await run(
    db,
    db
      .select({
        name: accounts.name,
        createdAt: accounts.createdAt,
        suspendedAt: accounts.suspendedAt,
        deletingSince: accounts.deletingSince,
        needsApproval: accounts.needsApproval,
        emailLimits: {
          recipientsPerDay: accounts.emailRecipientsPerDay,
          messagesPerRecipientPerDay: accounts.emailsPerRecipientPerDay,
        },
        subscription: { docs, templates, anchorDay },
      })
      .from(accounts)
      .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
      .where(eq(accounts.id, accountId)),
  );
  if (account === undefined) throw new AppError('not_found', `There is no account ${accountId}`);
  return { accountId, ...account, keys: await listKeys(db, accountId) };
}
