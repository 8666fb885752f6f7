import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type DatabaseHandle, openDatabase } from '../../src/shared/db/client.ts';
import { migrateDatabase } from '../../src/shared/db/migrate.ts';
import { partitionOf } from '../../src/shared/db/partitions.ts';
import { acceptDocument } from '../../src/shared/domain/documents/accept-document.ts';
import type { claimDocument } from '../../src/shared/domain/documents/claim-document.ts';
import { succeedDocument } from '../../src/shared/domain/documents/succeed-document.ts';
import { createLogger } from '../../src/shared/logger.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  type TestAccount,
} from '../../test/support/domain/accounts.ts';
import { addMonth } from '../../test/support/domain/old-documents.ts';
import { openFolder } from '../../tools/local/backing-services.ts';
import { startPostgres } from '../../tools/local/services/postgres.ts';
import { median } from '../harness/statistics.ts';

/**
 * Measures the cost of a document in PostgreSQL with monthly partitions and with plain tables, alternating in one run:
 * the server's processor time to accept, claim and settle one document, and bytes on disk with a history of 100,000.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '8' }, documents: { type: 'string', default: '300' } },
});
const rounds = Number(values.rounds);
const documents = Number(values.documents);
const history = 100_000;
const pastMonths = [-1, -2, -3, -4];
const steps = ['accept', 'claim', 'settle'] as const;
const kinds = ['plain', 'partitioned'] as const;

/** Restores the tables as they were before partitioning. */
const toPlain = `
  create table p_generations (like generations including all);
  create table p_ledger (like ledger including all);
  create table p_deliveries (like deliveries including all);
  drop table generations, ledger, deliveries cascade;
  alter table p_generations rename to generations; alter table p_ledger rename to ledger; alter table p_deliveries rename to deliveries;
  alter table ledger drop constraint p_ledger_pkey; alter table ledger add primary key (id);
  create sequence ledger_id_seq; alter table ledger alter column id set default nextval('ledger_id_seq');
  create unique index ledger_reserve on ledger (generation_id) where kind = 'reserve';
  create unique index ledger_refund on ledger (generation_id) where kind = 'refund';
  alter table generations add foreign key (account_id) references accounts (id);
  alter table ledger add foreign key (account_id) references accounts (id);
  alter table deliveries add foreign key (account_id) references accounts (id);
  alter table deliveries add foreign key (generation_id) references generations (id);
  alter table batch_rows add foreign key (generation_id) references generations (id)`;

interface Subject {
  readonly handle: DatabaseHandle;
  readonly account: TestAccount;
}

const folder = mkdtempSync(join(tmpdir(), 'docmill-growth-'));
const { context, close } = await openFolder(folder, process.env, () => undefined);
try {
  const postgres = await startPostgres(context, 'bench');
  const subjects = {
    plain: await open(postgres.databaseUrl, 'plain'),
    partitioned: await open(postgres.databaseUrl, 'partitioned'),
  };
  const samples: Record<(typeof kinds)[number], Cost>[] = [];
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? kinds : kinds.toReversed();
    const costs: Partial<Record<(typeof kinds)[number], Cost>> = {};
    for (const kind of order) costs[kind] = await measure(subjects[kind]);
    const { plain, partitioned } = costs;
    if (round >= 0 && plain !== undefined && partitioned !== undefined) samples.push({ plain, partitioned });
  }
  const cost = [...steps, 'all' as const].map((step) => {
    const of = (one: Cost): number => (step === 'all' ? one.accept + one.claim + one.settle : one[step]);
    return {
      step,
      plainMs: median(samples.map(({ plain }) => of(plain))),
      partitionedMs: median(samples.map(({ partitioned }) => of(partitioned))),
      ratio: median(samples.map(({ plain, partitioned }) => of(partitioned) / of(plain))),
    };
  });
  const bytes = Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await bytesEach(subjects[kind])] as const)),
  );
  process.stdout.write(`${JSON.stringify({ rounds, documents, history, cost, bytes })}\n`);
  for (const { handle } of Object.values(subjects)) await handle.close();
} finally {
  await close();
  rmSync(folder, { recursive: true, force: true });
}

async function open(serverUrl: string, kind: (typeof kinds)[number]): Promise<Subject> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database bench_${kind}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = `bench_${kind}`;
  await migrateDatabase(url.href);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  if (kind === 'plain') await client.query(toPlain);
  else for (const offset of pastMonths) await addMonth(client, offset);
  const options = { url: url.href, poolSize: 1, timeoutMs: 60_000, applicationName: 'bench' };
  const handle = openDatabase(options, createLogger('silent', 'bench'));
  const account = await newAccount(handle.db, { docs: 1_000_000 });
  await fill(handle, client, account);
  await client.end();
  return { handle, account };
}

/** Copies one finished and e-mailed document into the past months. */
async function fill({ db }: DatabaseHandle, client: pg.Client, { accountId, templateId }: TestAccount): Promise<void> {
  const email = {
    deliveryId: 'dlv_model',
    to: ['somebody@example.com'],
    cc: [],
    bcc: [],
    subject: 'Your letter',
    body: 'Hello',
  };
  const request = documentRequest(templateId, { format: 'pdf', email, filename: 'Letter to somebody.pdf' });
  await acceptDocument(db, accountId, request);
  const claim = await claimed(db, request.id);
  await succeedDocument(db, claim, finishedDocument(claim, { pages: 3 }));
  const each = history / pastMonths.length;
  const copy = (table: string, key: string, prefix: string, changes: string): string =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${key}', '${prefix}' || lpad(n::text, 16, '0')${changes}))).*
      from ${table} t, generate_series(1, ${each}) n where t.${key} = $1`;
  for (const offset of pastMonths) {
    const [doc, dlv] = (['generations', 'deliveries'] as const).map(
      (table) => partitionOf(table, new Date(), offset).from,
    );
    await client.query(copy('generations', 'id', doc ?? '', ''), [request.id]);
    await client.query(copy('ledger', 'generation_id', doc ?? '', `, 'id', nextval('ledger_id_seq')`), [request.id]);
    const link = `, 'generation_id', '${doc}' || lpad(n::text, 16, '0'), 'status', 'sent'`;
    await client.query(copy('deliveries', 'id', dlv ?? '', link), ['dlv_model']);
  }
  await client.query('vacuum analyze');
}

type Cost = Readonly<Record<(typeof steps)[number], number>>;

/** The server's processor time per document, in milliseconds. */
async function measure({ handle: { db, pool }, account: { accountId, templateId } }: Subject): Promise<Cost> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid ?? 0;
  const requests = Array.from({ length: documents }, () => documentRequest(templateId));
  const claims: NonNullable<Awaited<ReturnType<typeof claimDocument>>>[] = [];
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const before = processorMs(pid);
    await work();
    return (processorMs(pid) - before) / documents;
  };
  const accept = await timed(async () => {
    for (const request of requests) await acceptDocument(db, accountId, request);
  });
  const claim = await timed(async () => {
    for (const { id } of requests) claims.push(await claimed(db, id));
  });
  const settle = await timed(async () => {
    for (const one of claims) await succeedDocument(db, one, finishedDocument(one));
  });
  return { accept, claim, settle };
}

function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

async function bytesEach({ handle: { pool } }: Subject): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `select name, (select sum(pg_total_relation_size(relid)) from (
        select name::regclass as relid union select inhrelid from pg_inherits where inhparent = name::regclass) parts) as bytes
      from unnest('{generations,ledger,deliveries}'::text[]) name`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(Number(bytes) / history)]));
}
