import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList } from '../../db/column-names.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { allowances } from '../../db/schema/quota.ts';
import { execute, nowOr } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { requireOpenAccount } from '../accounts/require-open-account.ts';

export interface CreditsInput {
  readonly accountId: string;
  readonly docs: number;
  readonly templates: number;
  readonly expiresAt?: Date | undefined;
}

/** Adds credits to an account. Throws `not_found`, or `conflict` if its deletion has begun. */
export async function grantCredits(
  db: Executor,
  input: CreditsInput,
  at?: Date,
): Promise<CreditsInput & { readonly creditsId: string }> {
  await requireOpenAccount(db, input.accountId);
  const creditsId = newId('crd');
  const { id, accountId, kind, docs, templates, startsAt, endsAt } = allowances;
  const granted = await execute(
    db,
    sql`insert into ${allowances} ${columnList(id, accountId, kind, docs, templates, startsAt, endsAt)}
      select ${creditsId}, ${accounts.id}, 'credits', ${input.docs}, ${input.templates}, ${nowOr(at)},
        ${input.expiresAt?.toISOString() ?? null}::timestamptz
      from ${accounts} where ${accounts.id} = ${input.accountId}`,
  );
  if (granted === 0) throw new AppError('not_found', `There is no account ${input.accountId}`);
  return { creditsId, ...input };
}
