import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';

export async function createAccount(db: Executor, name: string): Promise<{ readonly accountId: string }> {
  const accountId = newId('acc');
  await run(db, sql`insert into accounts (id, name) values (${accountId}, ${name})`);
  return { accountId };
}
