import { rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Admin } from './admin.ts';
import { readStateFile } from './state-file.ts';

const createdAccount = z.object({ accountId: z.string() });
const createdKey = z.object({ apiKey: z.string() });
const accountSchema = z.object({ ...createdAccount.shape, ...createdKey.shape });
type DemoAccount = z.infer<typeof accountSchema>;

/**
 * The database stores only hashes of keys, so the demo account's key is also stored in a file that only its owner can
 * read.
 */
export async function openDemoAccount(file: string, admin: Admin): Promise<DemoAccount> {
  const kept = readStateFile(file, accountSchema);
  if (kept !== undefined) return kept;
  const { accountId } = createdAccount.parse(await admin('create-account', { name: 'Demo' }));
  const [key] = await Promise.all([
    admin('create-key', { account: accountId }),
    admin('set-subscription', { account: accountId, docs: 1000, templates: 50 }),
    admin('grant-credits', { account: accountId, docs: 100, templates: 0 }),
  ]);
  const account = { accountId, ...createdKey.parse(key) };
  writeFileSync(file, `${JSON.stringify(account)}\n`, { mode: 0o600 });
  return account;
}

/** Creates another account if the service does not know the key, for example after the database folder was removed. */
export async function confirmDemoAccount(
  account: DemoAccount,
  url: string,
  file: string,
  admin: Admin,
): Promise<DemoAccount> {
  const answer = await fetch(`${url}/v1/account/quotas`, { headers: { authorization: `Bearer ${account.apiKey}` } });
  await answer.body?.cancel();
  if (answer.status !== 401) return account;
  rmSync(file);
  return await openDemoAccount(file, admin);
}
