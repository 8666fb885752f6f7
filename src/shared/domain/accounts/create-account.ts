import type { Executor } from '../../db/client.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';

export async function createAccount(db: Executor, name: string): Promise<{ readonly accountId: string }> {
  const accountId = newId('acc');
  await run(db, db.insert(accounts).values({ id: accountId, name }));
  return { accountId };
}
