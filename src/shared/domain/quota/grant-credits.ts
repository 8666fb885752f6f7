import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';

export interface CreditsInput {
  readonly accountId: string;
  readonly docs: number;
  readonly templates: number;
  readonly expiresAt?: Date | undefined;
}

export async function grantCredits(
  db: Executor,
  input: CreditsInput,
  at?: Date,
): Promise<CreditsInput & { readonly creditsId: string }> {
  const creditsId = newId('crd');
  const rows = await run(
    db,
    sql`insert into allowances (id, account_id, kind, docs, templates, starts_at, ends_at)
      select ${creditsId}, id, 'credits', ${input.docs}, ${input.templates}, ${nowOr(at)},
        ${input.expiresAt?.toISOString() ?? null}::timestamptz
      from accounts where id = ${input.accountId} returning id`,
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no account ${input.accountId}`);
  return { creditsId, ...input };
}
