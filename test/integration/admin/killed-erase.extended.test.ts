import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { deleteAccount } from '../../../src/api/erasure/delete-account.ts';
import { eraseRecipient } from '../../../src/api/erasure/erase-recipient.ts';
import { resumeErasures } from '../../../src/api/erasure/resume-erasures.ts';
import type { Stores } from '../../../src/api/erasure/stores.ts';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { openFolder } from '../../../tools/local/backing-services.ts';
import { startPostgres } from '../../../tools/local/services/postgres.ts';
import { startRedis } from '../../../tools/local/services/redis.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  type TestAccount,
} from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { violations } from '../../support/domain/invariants.ts';
import { newEndpoint } from '../../support/domain/webhooks.ts';
import { isLarge } from '../../support/extended.ts';
import { bundleProgram } from '../../support/services/bundle-program.ts';
import { openTestDatabase } from '../../support/services/database.ts';
import { searchStores } from '../../support/services/search-stack.ts';
import { systemPostgresPrograms } from '../../support/services/system-postgres.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';

const run = promisify(execFile);
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

// pg_dump of this system reads it.
const folder = mkdtempSync(join(tmpdir(), 'docmill-erase-'));
const opened = await openFolder(
  folder,
  { ...process.env, POSTGRES_PROGRAMS: systemPostgresPrograms() },
  () => undefined,
);
const server = await startPostgres(opened.context, randomBytes(12).toString('hex'));
// All of its keys are searched after each step, so it must not contain those of other tests.
const { redisUrl } = await startRedis(opened.context);
afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const script = await bundleProgram(new URL('killed-erase-process.ts', import.meta.url), folder);

interface Person {
  readonly address: string;
  readonly local: string;
  /** In the data of the person's documents alone. */
  readonly word: string;
}

function newPerson(): Person {
  const local = `ida.${randomBytes(8).toString('hex')}`;
  return { local, address: `${local}@inbox.example`, word: `secret${randomBytes(12).toString('hex')}` };
}

const emailTo = (to: string, subject: string | null = null) => ({
  deliveryId: newId('dlv'),
  to: [to, 'other@example.com'],
  cc: [],
  bcc: [],
  subject,
  body: null,
});

/** Makes documents of a person, each found by one trace only, and one document of somebody else. */
async function makeDocuments({ db, objects, transient }: WorkerDeps, pool: pg.Pool, person: Person, other: Person) {
  const account = await newAccount(db, { docs: 20 });
  await newEndpoint(db, account.accountId, 'https://hooks.example.com/');
  await makeBatch({ db, objects }, pool, account, person, other);
  const { accountId, templateId } = account;
  const accept = async (changes: Parameters<typeof documentRequest>[1]): Promise<string> => {
    const request = documentRequest(templateId, { isKept: true, ...changes });
    await acceptDocument(db, accountId, request);
    return request.id;
  };
  const putResult = (id: string, text: string) =>
    objects.put(`results/${accountId}/${id}/att_${'0'.repeat(26)}.docx`, Buffer.from(text), docx);
  // Only the waiting data names the address; an attempt that died left a result.
  const waiting = await accept({});
  await transient.put('data', waiting, Buffer.from(JSON.stringify({ to: person.address, word: person.word })), 600);
  await putResult(waiting, person.word);
  // Only the e-mail names it.
  const mailed = await accept({ email: emailTo(person.address, person.word), filename: `${person.word}.docx` });
  await transient.put('data', mailed, Buffer.from(JSON.stringify({ word: person.word })), 600);
  // Only the delivery names it; the document is done.
  const sent = await accept({ email: emailTo(person.address), filename: `${person.word}.docx` });
  const claim = await claimed(db, sent);
  await succeedDocument(db, claim, finishedDocument(claim));
  await putResult(sent, person.word);
  const fingerprint = randomBytes(32).toString('hex');
  const evidence = `quarantine/${accountId}/${fingerprint}/att_${'0'.repeat(26)}.docx`;
  await objects.put(evidence, Buffer.from(person.word), docx);
  await pool.query(
    `insert into conversion_failures (fingerprint, account_id, failures, generation_id, template_id, template_version, reason, evidence_key)
      values ($1, $2, 2, $3, $4, 1, 'conversion_timeout', $5)`,
    [fingerprint, accountId, sent, templateId, evidence],
  );
  await pool.query(
    `insert into idempotency_keys (account_id, key, operation, request_hash, resource_id, created_at, expires_at)
      values ($1, $2, 'generate', '', $3, now(), now() + interval '1 day')`,
    [accountId, `letter-${person.word}`, sent],
  );
  await accept({ filename: `${other.word}.docx` });
  return account;
}

/** Makes a bundle of three rows: the person's, by their data and by their e-mail, and one of somebody else. */
async function makeBatch(
  { db, objects }: Pick<WorkerDeps, 'db' | 'objects'>,
  pool: pg.Pool,
  account: TestAccount,
  person: Person,
  other: Person,
): Promise<void> {
  const rows = [{ mail: person.address, word: person.word }, { word: other.word }, { word: person.word }];
  const { batchId, documentIds } = await newBatch(db, objects, account, { rows, bundle: 'zip' });
  const parent = `batches/${account.accountId}/${batchId}`;
  const email = { to: [person.address], cc: [], bcc: [], subject: null, body: null };
  const row = JSON.stringify({ row: 3, password: null, email });
  await objects.put(`${parent}/input-private`, Buffer.from(`${row}\n`), 'application/x-ndjson');
  for (const id of documentIds) {
    const claim = await claimed(db, id);
    const key = `results/${account.accountId}/${id}/${claim.attemptToken}.docx`;
    await objects.put(key, Buffer.from(id === documentIds[1] ? other.word : person.word), docx);
    await succeedDocument(db, claim, finishedDocument(claim));
  }
  const objectKey = `${parent}/files/bundle.zip`;
  await objects.put(objectKey, Buffer.from(`${person.word} ${other.word}`), 'application/zip');
  await pool.query(
    `update batches set status = 'completed', finished_at = now(), expires_at = now() + interval '1 day', files = $2 where id = $1`,
    [
      batchId,
      JSON.stringify([
        { name: 'batch.zip', objectKey, sizeBytes: 1, checksum: '', contentType: '', firstRow: 1, lastRow: 3 },
      ]),
    ],
  );
}

function variablesOf({ config }: WorkerDeps) {
  const { DATABASE_URL, REDIS_URL, QUEUE_PREFIX } = config;
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = config;
  const store = { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  return { DATABASE_URL, REDIS_URL, QUEUE_PREFIX, ...store };
}

/** Erases in a process that is killed at one of its steps. Returns false when it took fewer steps. */
async function isKilled(deps: WorkerDeps, address: string, step: number, when: string): Promise<boolean> {
  const env = { PATH: process.env.PATH, ...variablesOf(deps) };
  try {
    const args = [script, address, String(step), when];
    expect((await run(process.execPath, args, { env })).stdout).toBe('finished');
    return false;
  } catch (error) {
    if ((error as { readonly signal?: string }).signal !== 'SIGKILL') throw error;
    return true;
  }
}

const parallel = 3;
/** All steps in a run with larger numbers; otherwise three of six. */
const stride = isLarge ? parallel : 2 * parallel;

/** Opens one connection. The server may stop while it closes, which the pool or its client then reports. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c jit=off' });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

test('an erasure killed at any of its steps is completed by the next run, and the ledger balances', async () => {
  const steps = await Promise.all(
    Array.from({ length: parallel }, async (_, first) => {
      const url = new URL(server.databaseUrl);
      const name = `erase_${randomBytes(6).toString('hex')}`;
      url.pathname = name;
      const plain = openPool(server.databaseUrl);
      await plain.query(`create database ${name}`);
      await plain.end();
      await migrateDatabase(url.href);
      const { db, pool, close } = openTestDatabase({ url: url.href });
      const books = openPool(url.href);
      const deps = await newWorkerDeps(db, url.href, { REDIS_URL: redisUrl });
      const stores: Stores = { ...deps, prefix: deps.config.QUEUE_PREFIX };
      for (let step = first + 1; ; step += stride) {
        const [person, other] = [newPerson(), newPerson()];
        const { accountId } = await makeDocuments(deps, pool, person, other);
        // What is on its way is carried out while the next erasure begins.
        const wasKilled = await isKilled(deps, person.address, step, step % 2 === 0 ? 'sent' : 'answered');
        await resumeErasures(stores);
        await eraseRecipient(stores, person.address, undefined);
        const finds = [...(await searchStores(variablesOf(deps), [person.local, person.word, other.word]))];
        expect(
          finds.filter((find) => !find.startsWith(other.word)),
          `after step ${step}`,
        ).toEqual([]);
        for (const place of ['table generations', 'object results/', 'object batches/'])
          expect(
            finds.some((find) => find.startsWith(`${other.word}: ${place}`)),
            `${place} after step ${step}`,
          ).toBe(true);
        expect(await violations(books), `after step ${step}`).toEqual([]);
        // The next one then takes the same steps.
        await deleteAccount(stores, accountId, 'test');
        if (wasKilled) continue;
        await Promise.all([close(), books.end()]);
        return step;
      }
    }),
  );
  expect(Math.min(...steps)).toBeGreaterThan(35);
}, 900_000);
