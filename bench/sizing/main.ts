import { startContender } from '../harness/contender-process.ts';
import { documentOf } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { closeFrame, figure, openFrame, publish } from '../harness/report.ts';
import { type ServiceStack, startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { openRedisMeter, redisUse } from '../infrastructure/redis-meter.ts';
import { isRenderName, readDatabaseUse, readMemory } from './read-use.ts';

/**
 * Measures the cost of a document for each component with real engines, and derives the table of sizes in
 * docs/operations/scaling.md: one API process and one worker under load, first with .docx, then with PDFs, of an
 * invoice with ten lines.
 */
const accounts = 8;
const lines = 10;
const slots = 2;
const utilization = 0.6;
const rates = [10, 100, 1_000];

const options = readOptions({ rounds: 1, quickRounds: 1, values: ['seconds'] });
const seconds = Number(options.values.seconds ?? (options.quick ? 5 : 30));
const formats = ['docx', 'pdf'] as const;
type Format = (typeof formats)[number];
const parts = ['api', 'worker', 'render', 'office', 'postgres', 'redis', 's3'] as const;
type Cost = Readonly<Record<(typeof parts)[number], number>>;

async function measure(stack: ServiceStack, apiKeys: readonly string[], format: Format) {
  const { template, data } = documentOf('invoice', lines);
  const tenants = await Promise.all(
    apiKeys.map(async (apiKey) => ({
      apiKey,
      templateId: await uploadTemplate(stack.url, apiKey, `invoice-${format}.docx`, template),
    })),
  );
  const setup = { urls: [stack.url], tenants, body: JSON.stringify({ data, output: { format } }) };
  const load = await startContender(new URL('../infrastructure/load-process.ts', import.meta.url), setup);
  const { postgres, redis } = stack.services;
  const meter = openRedisMeter(redis.redisUrl);
  try {
    const concurrency = format === 'docx' ? 32 : slots * 4;
    const plan = { minDocuments: concurrency, concurrency };
    await load.run({ ...plan, forMs: 3_000 });
    const [databaseBefore, redisBefore] = [await readDatabaseUse(postgres.databaseUrl), await meter.count()];
    const before = readProcessorTime(stack.pids);
    const { documents, perSecond } = await load.run({ ...plan, forMs: seconds * 1_000 });
    const used = perDocument(before, readProcessorTime(stack.pids), documents);
    const [database, redisAfter] = [await readDatabaseUse(postgres.databaseUrl), await meter.count()];
    const children = Object.entries(used).filter(([name]) => name.startsWith('worker: '));
    const sumOf = (isRender: boolean): number =>
      children.reduce(
        (sum, [name, ms]) => (isRenderName(name.slice('worker: '.length)) === isRender ? sum + ms : sum),
        0,
      );
    const cost: Cost = {
      api: used.api ?? 0,
      worker: used.worker ?? 0,
      render: sumOf(true),
      office: sumOf(false),
      postgres: used.postgres ?? 0,
      redis: used.redis ?? 0,
      s3: used.s3 ?? 0,
    };
    return {
      format,
      documents,
      perSecond,
      cost,
      redis: redisUse(redisBefore, redisAfter, documents),
      walBytes: (database.walBytes - databaseBefore.walBytes) / documents,
      commits: (database.commits - databaseBefore.commits) / documents,
      growthBytes: (database.bytes - databaseBefore.bytes) / documents,
      connections: database.connections,
      memory: readMemory(stack.pids.get('api') ?? -1, stack.pids.get('worker') ?? -1, slots),
    };
  } finally {
    meter.close();
    await load.close();
  }
}

type Measured = Awaited<ReturnType<typeof measure>>;

const table = (rows: readonly (readonly (string | number)[])[]): readonly string[] => {
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`);
};

function tablesOf(measured: readonly Measured[]): readonly string[] {
  const cores = (ms: number, rate: number): string => ((ms * rate) / 1_000 / utilization).toFixed(2);
  const sizes = measured.flatMap(({ format, cost, walBytes, growthBytes, redis }) => [
    ...parts.map((part) => [`${format}: cores of ${part}`, ...rates.map((rate) => cores(cost[part], rate))]),
    [`${format}: log of PostgreSQL, KB/s`, ...rates.map((rate) => ((walBytes * rate) / 1_000).toFixed(0))],
    [
      `${format}: growth of PostgreSQL, GB a day`,
      ...rates.map((rate) => ((growthBytes * rate * 86_400) / 1e9).toFixed(1)),
    ],
    [
      `${format}: Redis in and out, MB/s`,
      ...rates.map((rate) => (((redis.receivedBytesPerDocument + redis.sentBytesPerDocument) * rate) / 1e6).toFixed(1)),
    ],
  ]);
  return [
    ...table([
      ['ms of a core for a document', ...parts],
      ...measured.map(({ format, cost }) => [format, ...parts.map((part) => cost[part].toFixed(2))]),
    ]),
    '',
    ...table([['', ...rates.map((rate) => `${rate} a second`)], ...sizes]),
    '',
    ...table([
      ['memory under load, MB', 'API process', 'worker process', 'render process', 'LibreOffice slot'],
      ...measured.map(({ format, memory }) => [format, ...Object.values(memory).map((mb) => mb.toFixed(0))]),
    ]),
    '',
    ...measured.map(({ format, connections }) => `${format}: connections to PostgreSQL ${JSON.stringify(connections)}`),
  ];
}

const frame = openFrame('sizing', ['LibreOffice', 'Redis'], ['bullmq', 'ioredis', 'hono', 'pg']);
const counts = { OFFICE_SLOTS: String(slots), RENDER_PROCESSES: String(slots) };
const stack = await startServiceStack(counts);
try {
  const apiKeys = await stack.openAccounts(accounts);
  const measured: Measured[] = [];
  for (const format of formats) measured.push(await measure(stack, apiKeys, format));
  const figures = measured.map(({ format, perSecond }) =>
    figure(`${format} a second, all on this machine`, '', [perSecond]),
  );
  publish(closeFrame(frame, { seconds, accounts, lines, slots }, figures, measured), options, tablesOf(measured));
} finally {
  await stack.close();
}
