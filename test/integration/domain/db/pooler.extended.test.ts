import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type DatabaseHandle, openDatabase, pingDatabase } from '../../../../src/shared/db/client.ts';
import { tryLock } from '../../../../src/shared/db/statement.ts';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { acceptOnce } from '../../../../src/shared/domain/documents/accept-once.ts';
import { failDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { findFreePort } from '../../../../tools/local/ports.ts';
import {
  acceptOne,
  claimed,
  documentRequest,
  internalError,
  newAccount,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useOwnDatabase } from '../../../support/services/database.ts';
import { silent } from '../../../support/services/redis.ts';

const { db, pool, url } = await useOwnDatabase();
keepRules(pool);

// Debian installs it in a folder that is only in the search path of root.
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

/** PgBouncer in front of the suite's PostgreSQL, without any `ignore_startup_parameters`. */
async function startPooler(mode: 'session' | 'transaction', poolSize: number): Promise<string> {
  const target = new URL(url);
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'docmill-pooler-'));
  chmodSync(folder, 0o755);
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`;
  const server = `host=${target.hostname} port=${target.port} user=${target.username}${password}`;
  const lines = [
    '[databases]',
    `* = ${server}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 100',
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 });
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = spawn('pgbouncer', ['--quiet', ...user, file], { stdio: 'ignore', env });
  await once(child, 'spawn');
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  target.port = String(port);
  target.password = '';
  return target.href;
}

async function openThrough(url: string, hasPreparedStatements: boolean): Promise<DatabaseHandle> {
  const options = { url, poolSize: 8, timeoutMs: 60_000, applicationName: 'docmill-test', hasPreparedStatements };
  const handle = openDatabase(options, silent);
  onTestFinished(() => handle.close());
  await expect.poll(() => pingDatabase(handle.db).catch(() => false)).toBe(true);
  return handle;
}

it.each([
  ['session', 8, true],
  ['transaction', 2, false],
] as const)('documents are accepted, claimed and ended in %s mode', async (mode, poolSize, isPrepared) => {
  const through = await openThrough(await startPooler(mode, poolSize), isPrepared);
  const account = await newAccount(db, { docs: 100 });
  for (let round = 0; round < 3; round++) {
    const accepted = await together(8, () => acceptOne(through.db, account));
    await together(8, (index) =>
      acceptOnce(through.db, account.accountId, documentRequest(account.templateId), {
        key: `${round}-${index}`,
        operation: 'POST generate',
        requestHash: 'same',
        ttlSeconds: 3_600,
      }),
    );
    for (const id of accepted)
      expect(await failDocument(through.db, await claimed(through.db, id), internalError)).toBe(true);
  }
  const locks = await together(4, () => inTransaction(through.db, (tx) => tryLock(tx, 'pooler-test')));
  expect(locks).toContain(true);
  expect((await readQuotas(through.db, account.accountId)).remaining.total.docs).toBe(100 - 24);
});
