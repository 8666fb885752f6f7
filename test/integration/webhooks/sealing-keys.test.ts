import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { rotateSecret } from '../../../src/shared/domain/webhooks/manage-webhooks.ts';
import { resealSecrets } from '../../../src/shared/domain/webhooks/reseal-secrets.ts';
import { createSecretBox, newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { reportMissingKeys } from '../../../src/shared/report-missing-keys.ts';
import { newAccount, together } from '../../support/domain/accounts.ts';
import {
  deliveriesOf,
  makeDocument,
  newEndpoint,
  newWebhookWorker,
  runWebhooks,
  useReceiver,
} from '../../support/domain/webhooks.ts';
import { verified } from '../../support/faults/webhook-receiver.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const { db, pool, url } = await useOwnDatabase();
beforeEach(() => pool.query('delete from webhook_endpoints'));

const newKey = (): string => randomBytes(32).toString('base64');

async function newSealed(keys: readonly string[], target = 'https://example.com/') {
  const account = await newAccount(db, { docs: 10_000 });
  const endpoint = await newEndpoint(db, account.accountId, target, ['document.succeeded']);
  const sealed = createSecretBox(keys).seal(endpoint.secret, endpoint.id);
  await pool.query('update webhook_endpoints set secret = $1 where id = $2', [sealed, endpoint.id]);
  return { account, accountId: account.accountId, endpoint };
}

const stored = async (id: string) => {
  const { rows } = await pool.query<{ secret: string; previous_secret: string | null }>(
    'select secret, previous_secret from webhook_endpoints where id = $1',
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the webhook is missing');
  return row;
};

it('every event is delivered at its first attempt with the same secret while the sealing key is replaced', async () => {
  const [old, next] = [newKey(), newKey()];
  const receiver = await useReceiver();
  const { account, accountId, endpoint } = await newSealed([old], `${receiver.url}/hook`);
  const deps = await newWebhookWorker(db, url);
  const workerWith = (...keys: string[]) => ({ ...deps, config: { ...deps.config, WEBHOOK_SECRET_KEY: keys } });
  // Two processes that are restarted one after the other, as in a rolling restart.
  let workers = [workerWith(old), workerWith(old)];
  let isDone = false;
  let made = 0;
  const load = (async () => {
    while (!isDone) {
      await makeDocument(db, account);
      made += 1;
      await Promise.all(workers.map((worker) => runWebhooks(worker, accountId)));
    }
  })();
  const during = async (): Promise<void> => {
    const until = made + 8;
    await expect.poll(() => made, { interval: 5 }).toBeGreaterThanOrEqual(until);
  };
  const restart = async (...keys: string[]): Promise<void> => {
    for (const index of [0, 1]) {
      workers = workers.map((worker, at) => (at === index ? workerWith(...keys) : worker));
      await during();
    }
  };
  await during();
  await restart(old, next);
  await restart(next, old);
  expect(await resealSecrets(db, createSecretBox([next, old]), { isDryRun: false })).toMatchObject({ unreadable: 0 });
  await during();
  await restart(next);
  isDone = true;
  await load;
  await Promise.all(workers.map((worker) => runWebhooks(worker, accountId, 4)));
  const deliveries = await deliveriesOf(pool, accountId);
  expect(deliveries.length).toBe(made);
  expect(new Set(deliveries)).toEqual(new Set(['delivered 1 204']));
  for (const webhook of receiver.received) verified(endpoint.secret, webhook);
});

it('resealing moves current and previous secrets, also from clear text, and leaves the rest', async () => {
  const [old, next] = [newKey(), newKey()];
  const box = createSecretBox([next, old]);
  const { accountId, endpoint } = await newSealed([old]);
  const second = newSigningSecret();
  await rotateSecret(db, accountId, endpoint.id, createSecretBox([old]).seal(second, endpoint.id));
  const clear = await newSealed([]);
  const current = await newSealed([next]);
  const untouched = await stored(current.endpoint.id);
  const updated = await pool.query('select id, updated_at from webhook_endpoints order by id');
  expect(await resealSecrets(db, box, { isDryRun: true })).toMatchObject({ webhooks: 3, resealed: 0, pending: 2 });
  await resealSecrets(db, box, { isDryRun: false, pageSize: 1 });
  const row = await stored(endpoint.id);
  const only = createSecretBox([next]);
  expect(only.open(row.secret, endpoint.id)).toBe(second);
  expect(only.open(row.previous_secret ?? '', endpoint.id)).toBe(endpoint.secret);
  const sealed = await stored(clear.endpoint.id);
  expect(sealed.secret).not.toContain(clear.endpoint.secret);
  expect(only.open(sealed.secret, clear.endpoint.id)).toBe(clear.endpoint.secret);
  expect(await stored(current.endpoint.id)).toEqual(untouched);
  expect(await resealSecrets(db, only, { isDryRun: true })).toMatchObject({ pending: 0, unreadable: 0 });
  // Entity tags contain the time of the last change.
  expect((await pool.query('select id, updated_at from webhook_endpoints order by id')).rows).toEqual(updated.rows);
});

it('resealing counts and names secrets that no key opens, leaves them as they are, and moves the others', async () => {
  const [lost, next] = [newKey(), newKey()];
  const unreadable = await newSealed([lost]);
  const before = await stored(unreadable.endpoint.id);
  const moved = await newSealed([]);
  const report = await resealSecrets(db, createSecretBox([next]), { isDryRun: false });
  expect(report).toMatchObject({ webhooks: 2, resealed: 1, unreadable: 1, unreadableIds: [unreadable.endpoint.id] });
  expect(await stored(unreadable.endpoint.id)).toEqual(before);
  expect((await stored(moved.endpoint.id)).secret).toMatch(/^sealed\./);
});

it('expired previous secrets do not delay the removal of a key', async () => {
  const [lost, next] = [newKey(), newKey()];
  const { endpoint } = await newSealed([next]);
  const expired = createSecretBox([lost]).seal(newSigningSecret(), endpoint.id);
  await pool.query(
    `update webhook_endpoints set previous_secret = $1, previous_secret_until = now() - interval '1 hour' where id = $2`,
    [expired, endpoint.id],
  );
  expect(await resealSecrets(db, createSecretBox([next]), { isDryRun: false })).toMatchObject({ unreadable: 0 });
  expect((await stored(endpoint.id)).previous_secret).toBeNull();
});

it('concurrent commands and rotations leave every secret sealed with the first key', async () => {
  const [old, next] = [newKey(), newKey()];
  const box = createSecretBox([next, old]);
  const scenes = await together(20, () => newSealed([old]));
  await Promise.all([
    ...(await together(3, async () => resealSecrets(db, box, { isDryRun: false, pageSize: 7 }))),
    ...scenes.map(({ accountId, endpoint }) =>
      rotateSecret(db, accountId, endpoint.id, createSecretBox([old]).seal(newSigningSecret(), endpoint.id)),
    ),
  ]);
  await resealSecrets(db, box, { isDryRun: false });
  const only = createSecretBox([next]);
  for (const { endpoint } of scenes) {
    const row = await stored(endpoint.id);
    only.open(row.secret, endpoint.id);
    expect(only.open(row.previous_secret ?? '', endpoint.id)).toBe(endpoint.secret);
  }
});

it('a process that starts without a key that seals secrets reports it', async () => {
  const [old, next] = [newKey(), newKey()];
  await newSealed([old]);
  await newSealed([old]);
  await newSealed([next]);
  await newSealed([]);
  const lines: unknown[] = [];
  const logger = createLogger('error', 'test', (line) => lines.push(JSON.parse(line)));
  await reportMissingKeys(db, createSecretBox([old, next]), logger);
  expect(lines).toEqual([]);
  await reportMissingKeys(db, createSecretBox([next]), logger);
  expect(lines).toMatchObject([{ keyId: createSecretBox([old]).keyIds[0], webhooks: 2 }]);
  expect(JSON.stringify(lines)).not.toContain(old);
});
