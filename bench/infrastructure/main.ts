import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { atLeast, atMost, closeFrame, figure, openFrame, publish } from '../harness/report.ts';
import { uploadTemplate } from '../harness/stack.ts';
import { rounded } from '../harness/statistics.ts';
import { compareWithRecord } from './compare-with-record.ts';
import { type Measured, measurePoint, type Point, type Tenant } from './measure-point.ts';
import { measurePostgresAlone } from './postgres-alone.ts';
import { measureRedisAlone, measureWaitingMemory } from './redis-alone.ts';
import { type EngineSettings, type Infrastructure, startInfrastructure } from './stack.ts';

const settings: EngineSettings = { renderMs: 25, convertMs: 40, pdfBytes: 58_000 };
const accounts = 16;
const goalPerSecond = 1_500;

const options = readOptions({ rounds: 5, quickRounds: 1, values: ['seconds', 'slots', 'apis', 'documents'] });
const { values, quick } = options;
const seconds = Number(values.seconds ?? (quick ? 2 : 6));
const documents = Number(values.documents ?? (quick ? 200 : 1_000));
const list = (text: string | undefined, fallback: readonly number[]): readonly number[] =>
  text === undefined ? fallback : text.split(',').map(Number);
const slotCounts = list(values.slots, quick ? [1, 16] : [1, 4, 16, 64]);
const apiCounts = list(values.apis, quick ? [1] : [1, 2, 4]);

function points(): readonly Point[] {
  const base = { format: 'docx', accounts, callersPerSlot: 2 } as const;
  const most = Math.max(...slotCounts);
  const apis = Math.min(2, Math.max(...apiCounts));
  return [
    ...apiCounts.flatMap((count) => slotCounts.map((slots) => ({ ...base, apis: count, slots }))),
    { ...base, apis, slots: most, accounts: 1 },
    { ...base, apis, slots: most, format: 'pdf' },
  ];
}

/** A template for each account, uploaded through the API. */
async function uploadTemplates(infrastructure: Infrastructure): Promise<readonly Tenant[]> {
  const apiKeys = await infrastructure.openAccounts(accounts);
  const fleet = await infrastructure.startFleet(1, 1);
  try {
    const file = readFileSync(join(projectFolder, 'examples/letter.docx'));
    const tenants: Tenant[] = [];
    for (const apiKey of apiKeys) {
      tenants.push({ apiKey, templateId: await uploadTemplate(fleet.urls[0] ?? '', apiKey, 'letter.docx', file) });
    }
    return tenants;
  } finally {
    await fleet.stop();
  }
}

async function measure(infrastructure: Infrastructure) {
  const tenants = await uploadTemplates(infrastructure);
  const tableBytesBefore = await infrastructure.postgres.tableBytes();
  const measured: Measured[] = [];
  for (const point of points()) {
    if (!options.json) process.stderr.write(`${JSON.stringify(point)}\n`);
    measured.push(await measurePoint(infrastructure, settings, tenants, point, seconds));
  }
  const total = measured.reduce((sum, { documents: count }) => sum + count, 0);
  const tableBytesPerDocument = Math.round(((await infrastructure.postgres.tableBytes()) - tableBytesBefore) / total);
  const postgresAlone = await measurePostgresAlone(infrastructure, seconds);
  const waitingBytes = await measureWaitingMemory(infrastructure, 2_000);
  const redisAlone = await measureRedisAlone(infrastructure, tenants, documents, options.rounds);
  return { measured, tableBytesPerDocument, postgresAlone, waitingBytes, redisAlone };
}

/** A Markdown table with one line per point; processor times are milliseconds of one core per document. */
function tableOf(measured: readonly Measured[]): readonly string[] {
  const head = [
    ...['format', 'API', 'slots', 'accounts', 'docs/s', 'of ideal', 'median ms', 'p95 ms', 'cores'],
    ...['api ms', 'worker ms', 'redis ms', 'postgres ms', 'load ms', 'redis calls', 'redis in', 'redis out'],
    ...['statements', 'WAL bytes'],
  ];
  const rows = measured.map((point) => {
    const { processorMs, redis, postgres } = point;
    return [
      ...[point.format, point.apis, point.slots, point.accounts, point.perSecond.toFixed(0)],
      ...[point.ofIdeal.toFixed(2), point.medianMs.toFixed(0), point.p95Ms.toFixed(0), point.coresBusy.toFixed(2)],
      ...['api', 'worker', 'redis', 'postgres', 'load'].map((name) => (processorMs[name] ?? 0).toFixed(2)),
      ...[redis.callsPerDocument.toFixed(1), redis.receivedBytesPerDocument, redis.sentBytesPerDocument],
      ...[postgres.statementsPerDocument.toFixed(2), postgres.walBytesPerDocument],
    ].map(String);
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

const frame = openFrame('infrastructure', ['Redis'], ['bullmq', 'ioredis', 'hono', 'pg']);
const infrastructure = await startInfrastructure(settings);
try {
  const { measured, ...alone } = await measure(infrastructure);
  const { redisAlone, postgresAlone } = alone;
  const busiest = measured.filter(({ format, accounts: used }) => format === 'docx' && used > 1);
  const best = busiest.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const perRedisCore = rounded(1_000 / best.redis.processorMsPerDocument, 0);
  const figures = [
    figure('documents per second, everything on this machine', '', [best.perSecond]),
    figure('documents per second that one core of Redis can serve, by its use of it', '', [perRedisCore]),
    ...postgresAlone.map(({ accounts: count, perSecond }) =>
      figure(`documents per second, PostgreSQL alone, accounts: ${count}`, '', [perSecond]),
    ),
    figure('documents per second, recorded Redis commands replayed', '', redisAlone.perSecond, atLeast(goalPerSecond)),
  ];
  figures.push(
    ...compareWithRecord(measured).map(({ format, component, factor }) =>
      figure(`${format}, ${component}: share of the cost, measured ÷ recorded`, '', [factor], atMost(1.2)),
    ),
  );
  const raw = { settings, points: measured, ...alone };
  publish(closeFrame(frame, { seconds, slotCounts, apiCounts, accounts }, figures, raw), options, tableOf(measured));
} finally {
  await infrastructure.close();
}
