import type { components } from '@docmill/client';
import { operatorTexts } from '../../texts/operator.ts';
import { Badge } from '../../ui/badge.tsx';

type Account = components['schemas']['AdminAccountSummary'];

/** Whether the account is suspended or being deleted. */
export function AccountState({ account }: { readonly account: Pick<Account, 'suspendedAt' | 'deletingSince'> }) {
  if (account.deletingSince !== null) return <Badge tone="bad">{operatorTexts.deleting}</Badge>;
  if (account.suspendedAt !== null) return <Badge tone="bad">{operatorTexts.suspended}</Badge>;
  return <Badge tone="good">{operatorTexts.active}</Badge>;
}
