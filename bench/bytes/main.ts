import { setTimeout as delay } from 'node:timers/promises';
import { openDatabaseClock } from '../../test/faults/harness/database-clock.ts';
import { startWebhookReceiver } from '../../test/support/faults/webhook-receiver.ts';
import { findFreePort } from '../../tools/local/ports.ts';
import { type ServiceProcesses, startServiceProcesses } from '../../tools/local/service-processes.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, figure, openFrame, publish } from '../harness/report.ts';
import { type BenchServices, startBenchServices } from '../harness/stack.ts';
import { dataBytes, type Kind, kinds, openOwner, untilEnded } from './kinds.ts';
import { type Bytes, type Counters, openCounters, type TableSize } from './read-bytes.ts';

/**
 * Measures the footprint of a document in Redis, in the object store and in PostgreSQL: while it waits, after it ends,
 * and after its retention. Only counts bytes and entries. Real processes produce invoices of each kind; other
 * processes, whose database clock is years ahead, then remove them.
 */
const ttlSeconds = 300;
/** Longer than every default of `RETENTION_…` and `AUDIT_DAYS`. */
const yearsLater = 6;
const warmUp = 16;
/** Workers and APIs check for pauses every two seconds. */
const pauseMs = 4_000;
const settings = {
  RESULT_TTL_SECONDS: String(ttlSeconds),
  RETENTION_INTERVAL_MS: '1000',
  SWEEP_INTERVAL_MS: '1000',
  ORPHAN_SWEEP_INTERVAL_MS: '1000',
  OFFICE_START_TIMEOUT_MS: '180000',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
};

const options = readOptions({ rounds: 1, quickRounds: 1, values: ['documents', 'pdfs'] });
const counts = {
  docx: Number(options.values.documents ?? (options.quick ? 100 : 500)),
  pdf: Number(options.values.pdfs ?? (options.quick ? 50 : 250)),
};

/** The growth per document. */
interface Growth {
  readonly redis: { readonly count: number; readonly bytes: number };
  readonly store: { readonly count: number; readonly bytes: number };
  readonly database: number;
}

interface Measured {
  readonly name: string;
  readonly documents: number;
  /** The average size of the produced file. */
  readonly fileBytes: number;
  readonly waiting: Growth | undefined;
  readonly ended: Growth;
}

const growth = (before: Bytes, after: Bytes, documents: number): Growth => {
  const each = (of: (bytes: Bytes) => number): number => (of(after) - of(before)) / documents;
  return {
    redis: { count: each(({ redis }) => redis.count), bytes: each(({ redis }) => redis.bytes) },
    store: { count: each(({ store }) => store.count), bytes: each(({ store }) => store.bytes) },
    database: each(({ database }) => database),
  };
};

interface Service {
  readonly url: string;
  readonly processes: ServiceProcesses;
}

async function startService({ context, variables }: BenchServices, env: Record<string, string> = {}): Promise<Service> {
  const port = await findFreePort();
  const plan = { projectFolder, port, workers: 1, variables: { ...variables, ...env } };
  return { url: `http://127.0.0.1:${port}`, processes: await startServiceProcesses(context, plan) };
}

const stopService = async ({ processes: { api, workers } }: Service): Promise<void> => {
  await Promise.all([api, ...workers].map(({ process }) => process.stop()));
};

async function measure(
  counters: Counters,
  owner: Awaited<ReturnType<typeof openOwner>>,
  kind: Kind,
): Promise<Measured> {
  const documents = counts[kind.format];
  // The first documents create what all later ones share.
  await kind.send(owner, warmUp);
  await untilEnded(counters);
  const before = await counters.read();
  const [{ now } = { now: new Date() }] = await counters.query<{ now: Date }>('select now() as now');
  const queues = [`queue:${kind.format}`, `queue:${kind.format}-batch`];
  if (kind.isQueued) {
    await counters.query('insert into pauses (target, is_refusing) select unnest($1::text[]), false', [queues]);
    await delay(pauseMs);
  }
  await kind.send(owner, documents);
  const waiting = kind.isQueued ? growth(before, await counters.read(), documents) : undefined;
  await counters.query('delete from pauses');
  await untilEnded(counters);
  const ended = growth(before, await counters.read(), documents);
  const [size] = await counters.query<{ bytes: number; documents: number; seconds: number }>(
    `select avg(result_bytes)::float8 as bytes, count(*)::int as documents, extract(epoch from now() - $1)::float8 as seconds
      from generations where accepted_at > $1 and status = 'succeeded'`,
    [now],
  );
  if (size?.documents !== documents)
    throw new Error(`${kind.name}: ${size?.documents} of ${documents} documents exist`);
  if (size.seconds > ttlSeconds)
    throw new Error(`${kind.name}: files expired while they were counted; request fewer documents`);
  return { name: kind.name, documents, fileBytes: size.bytes, waiting, ended };
}

/** The rows that retention must remove. */
const removed = [
  'generations',
  'deliveries',
  'ledger',
  'batches',
  'batch_rows',
  'webhook_events',
  'webhook_deliveries',
];
const alsoRemoved = ['idempotency_keys', 'usage_days'];

async function untilRemoved(counters: Counters): Promise<void> {
  const open = [...removed, ...alsoRemoved].map((name) => `(select count(*) from ${name})`).join(' + ');
  const endsAtMs = Date.now() + 300_000;
  for (;;) {
    const [row] = await counters.query<{ rows: number }>(`select (${open})::int as rows`);
    if (row?.rows === 0) return;
    if (Date.now() > endsAtMs) throw new Error(`${row?.rows} rows were not removed`);
    await delay(1_000);
  }
}

interface Rest {
  readonly bytes: Bytes;
  readonly tables: readonly TableSize[];
  /** Kinds of Redis keys. */
  readonly keyKinds: ReadonlyMap<string, number>;
}

async function measureRest(backing: BenchServices, counters: Counters): Promise<Rest> {
  // Redis has its own clock, which cannot be set.
  const expiresAtMs = Date.now() + (ttlSeconds + 5) * 1_000;
  const clock = await openDatabaseClock({ prefix: 'bytes', backing, query: counters.query });
  const now = await clock.now();
  await clock.set(new Date(now.setUTCFullYear(now.getUTCFullYear() + yearsLater)));
  const later = await startService(backing, clock.env);
  await untilRemoved(counters);
  await delay(Math.max(0, expiresAtMs - Date.now()));
  const rest = { bytes: await counters.read(), tables: await counters.tables(), keyKinds: await counters.keyKinds() };
  await stopService(later);
  return rest;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const size = ({ count, bytes }: Growth['redis']): string => (bytes < 1 ? '0' : `${whole(bytes)} (${count.toFixed(1)})`);

function tablesOf(all: readonly Measured[], empty: Bytes, { bytes, tables, keyKinds }: Rest): readonly string[] {
  const table = (rows: readonly (readonly string[])[]): readonly string[] => {
    const [head = [], ...body] = rows;
    return [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...body].map(
      (row) => `| ${row.join(' | ')} |`,
    );
  };
  const columns = ['kind', 'file', 'Redis, waiting', 'Redis, ended', 'store, waiting', 'store, ended', 'PostgreSQL'];
  const documents = all.reduce((sum, one) => sum + one.documents, 0) + all.length * warmUp;
  return [
    `Bytes per document, with the number of Redis keys or objects in brackets. A document's data has ${whole(dataBytes)} bytes.`,
    '',
    ...table([
      columns,
      ...all.map(({ name, fileBytes, waiting, ended }) => [
        ...[name, whole(fileBytes), waiting === undefined ? '' : size(waiting.redis), size(ended.redis)],
        ...[waiting === undefined ? '' : size(waiting.store), size(ended.store), whole(ended.database)],
      ]),
    ]),
    '',
    `After retention, of ${whole(documents)} documents of ${all.length} accounts together:`,
    '',
    ...table([
      ['', 'before the first document', 'after retention'],
      ['keys of Redis', whole(empty.redis.count), whole(bytes.redis.count)],
      ['bytes of Redis', whole(empty.redis.bytes), whole(bytes.redis.bytes)],
      ['objects (the templates)', whole(empty.store.count), whole(bytes.store.count)],
      ['bytes of objects', whole(empty.store.bytes), whole(bytes.store.bytes)],
    ]),
    '',
    ...table([
      ['table with rows after retention', 'rows', 'bytes'],
      ...tables.map(({ name, rows, bytes: each }) => [`\`${name}\``, whole(rows), whole(each)]),
    ]),
    '',
    ...table([
      ['keys of accounts in Redis after retention', 'keys'],
      ...[...keyKinds].filter(([kind]) => kind.includes('acc_')).map(([kind, count]) => [`\`${kind}\``, whole(count)]),
    ]),
  ];
}

const frame = openFrame('bytes', ['LibreOffice', 'Redis'], ['bullmq', 'ioredis', 'pg']);
const backing = await startBenchServices(settings);
const receiver = await startWebhookReceiver();
const counters = await openCounters(backing.services);
try {
  const service = await startService(backing);
  const owners = [];
  for (const apiKey of await backing.openAccounts(kinds.length)) owners.push(await openOwner(service.url, apiKey));
  const empty = await counters.read();
  const all: Measured[] = [];
  for (const [index, kind] of kinds.entries()) {
    const owner = owners[index];
    if (owner === undefined) throw new Error('an account is missing');
    process.stderr.write(`${kind.name}\n`);
    await kind.prepare?.(owner, receiver.url);
    all.push(await measure(counters, owner, kind));
  }
  await stopService(service);
  process.stderr.write('retention\n');
  const rest = await measureRest(backing, counters);
  const left = rest.tables.filter(({ name }) => removed.includes(name)).reduce((sum, { rows }) => sum + rows, 0);
  const documentKeys = [...rest.keyKinds].filter(([kind]) => /(?:doc|dlv|bat|whd|evt)_/.test(kind)).length;
  const figures = [
    figure('objects after retention, less the templates', '', [rest.bytes.store.count - empty.store.count]),
    figure('rows of documents after retention', '', [left]),
    figure('keys of documents after retention', '', [documentKeys]),
  ];
  const report = closeFrame(frame, { ...counts, ttlSeconds }, figures, {
    all,
    empty,
    rest: { ...rest, keyKinds: [...rest.keyKinds] },
  });
  publish(report, options, tablesOf(all, empty, rest));
} finally {
  await counters.close();
  await receiver.close();
  await backing.close();
}
