import { readOptions } from '../harness/options.ts';
import { atLeast, closeFrame, figure, openFrame, print } from '../harness/report.ts';
import { rounded } from '../harness/statistics.ts';
import { type Measured, measurePoint, type Point, type Tenant } from './measure-point.ts';
import { measurePostgresAlone } from './postgres-alone.ts';
import { measureRedisAlone } from './redis-alone.ts';
import { type Fabric, type FabricSettings, startFabric } from './stack.ts';
import { tableOf } from './table.ts';
import { uploadTemplates } from './upload-templates.ts';
import { measureWaiting } from './waiting-memory.ts';

const settings: FabricSettings = { renderMs: 25, convertMs: 40, pdfBytes: 58_000 };
const accounts = 16;
const goalPerSecond = 1_500;

const options = readOptions({ rounds: 5, quickRounds: 1, own: ['seconds', 'slots', 'apis', 'documents'] });
const seconds = Number(options.own.seconds ?? (options.quick ? 2 : 6));
const documents = Number(options.own.documents ?? (options.quick ? 200 : 1_000));
const list = (text: string | undefined, fallback: readonly number[]): readonly number[] =>
  text === undefined ? fallback : text.split(',').map(Number);
const slotCounts = list(options.own.slots, options.quick ? [1, 16] : [1, 4, 16, 64]);
const apiCounts = list(options.own.apis, options.quick ? [1] : [1, 2, 4]);

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

async function measure(fabric: Fabric) {
  const keys = await fabric.openAccounts(accounts);
  const tenants: readonly Tenant[] = await uploadTemplates(fabric, keys);
  const tableBytesBefore = await fabric.postgres.tableBytes();
  const measured: Measured[] = [];
  for (const point of points()) {
    if (!options.json) process.stderr.write(`${JSON.stringify(point)}\n`);
    measured.push(await measurePoint(fabric, settings, tenants, point, seconds));
  }
  const made = measured.reduce((sum, { documents: own }) => sum + own, 0);
  const tableBytesPerDocument = Math.round(((await fabric.postgres.tableBytes()) - tableBytesBefore) / made);
  const postgresAlone = await measurePostgresAlone(fabric, seconds);
  const waitingBytes = await measureWaiting(fabric, 2_000);
  const redisAlone = await measureRedisAlone(fabric, tenants, documents, options.rounds);
  return { measured, tableBytesPerDocument, postgresAlone, waitingBytes, redisAlone };
}

const frame = openFrame('fabric', ['Redis'], ['bullmq', 'ioredis', 'hono', 'pg']);
const fabric = await startFabric(settings);
try {
  const { measured, ...alone } = await measure(fabric);
  const { redisAlone, postgresAlone } = alone;
  const busiest = measured.filter(({ format, accounts: used }) => format === 'docx' && used > 1);
  const best = busiest.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const figures = [
    figure('documents a second, everything on this machine', '', [best.perSecond]),
    figure('documents a second that a core of Redis is worth, by its use of it', '', [
      rounded(1_000 / best.redis.processorMsPerDocument, 0),
    ]),
    ...postgresAlone.map(({ accounts: count, perSecond }) =>
      figure(`documents a second, PostgreSQL alone, accounts: ${count}`, '', [perSecond]),
    ),
    figure('documents a second, the commands alone played back', '', redisAlone.perSecond, atLeast(goalPerSecond)),
  ];
  const raw = { settings, points: measured, ...alone };
  print(closeFrame(frame, { seconds, slotCounts, apiCounts, accounts }, figures, raw), options, tableOf(measured));
} finally {
  await fabric.close();
}
