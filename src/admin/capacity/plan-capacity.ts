import { assumedMb } from '../../shared/config/engine-counts.ts';
import type { Format } from './open-producer.ts';
import { coresFor, minReplicas, plannedCosts, recordedBytes, utilization } from './recorded-costs.ts';
import type { BusyEngines, TemplateCost } from './replay.ts';

/** The worker that the plan assumes: one on this machine with this configuration. */
export interface PlannedWorker {
  readonly cpus: number;
  readonly renderProcesses: number;
  readonly officeSlots: number;
  readonly databasePoolSize: number;
  /** Larger results go through the file store. */
  readonly inlineMaxBytes: number;
}

/** The resources that a component needs; null where not applicable or unknown. */
export interface PlannedComponent {
  readonly format: Format;
  readonly component: string;
  /** The total number of processes or slots. */
  readonly count: number | null;
  readonly cores: number | null;
  readonly memoryMb: number | null;
  readonly postgresConnections: number | null;
  readonly redisConnections: number | null;
  /** Inbound and outbound traffic together. */
  readonly megabytesPerSecond: number | null;
}

interface Assumption {
  readonly assumption: string;
  readonly value: number;
}

const planned = { docx: plannedCosts('docx'), pdf: plannedCosts('pdf') } as const;
const apiMb = 1_024;
const sharedMemoryMb = 1_024;
const otherPostgresConnections = 10;
/** Two per process, plus one for each queue; PDFs have a second queue for pinned templates. */
const redisConnections = { api: 2, docx: 3, pdf: 4 } as const;
const redisOverheadBytes = 5_000;

/** The assumptions of `planCapacity`. */
export const assumptions: readonly Assumption[] = [
  { assumption: 'share of its capacity that each component uses', value: utilization },
  { assumption: 'replicas of API and workers, at least', value: minReplicas },
  { assumption: 'main thread of a worker, ms a .docx, at least', value: planned.docx.worker },
  { assumption: 'main thread of a worker, ms a PDF, at least', value: planned.pdf.worker },
  { assumption: 'API, ms of a core a .docx', value: planned.docx.api },
  { assumption: 'API, ms of a core a PDF', value: planned.pdf.api },
  { assumption: 'PostgreSQL, ms of a core a .docx', value: planned.docx.postgres },
  { assumption: 'PostgreSQL, ms of a core a PDF', value: planned.pdf.postgres },
  { assumption: 'Redis, ms of a core a .docx', value: planned.docx.redis },
  { assumption: 'Redis, ms of a core a PDF', value: planned.pdf.redis },
  { assumption: 'memory of an API process, MB', value: apiMb },
  { assumption: 'memory of a worker without engines, MB', value: assumedMb.worker },
  { assumption: 'memory of a render process, MB, at least', value: assumedMb.renderProcess },
  { assumption: 'memory of a LibreOffice slot, MB, at least', value: assumedMb.officeSlot },
  { assumption: '/dev/shm of a worker for PDFs, MB', value: sharedMemoryMb },
];

/**
 * Plans the components for `rate` documents a second of the measured mix. The figures for engines and the workers' main
 * thread are measured; the others are known constants. Each format is planned for the whole rate.
 */
export function planCapacity(
  costs: readonly TemplateCost[],
  busy: BusyEngines | undefined,
  worker: PlannedWorker,
  rate: number,
): readonly PlannedComponent[] {
  const [{ format } = { format: undefined }] = costs;
  if (format === undefined) return [];
  const mean = (read: (cost: TemplateCost) => number): number =>
    costs.reduce((sum, cost) => sum + cost.share * read(cost), 0);
  const most = (read: (cost: TemplateCost) => number): number => Math.max(...costs.map(read));
  const { main: mainRatio = 1, render: renderRatio = 1, office: officeRatio = 1 } = busy?.cpuRatio ?? {};
  const { api, queueWork, worker: mainAtLeast, postgres, redis } = planned[format];
  // The number of units that documents keep busy, each for `ms` milliseconds, at 60 % utilization.
  const occupied = (ms: number): number => coresFor(rate, ms);

  const mainCores = occupied(Math.max(mainAtLeast, queueWork + mean(({ cpuMs }) => cpuMs.main) * mainRatio));
  const renderCores = occupied(mean(({ cpuMs }) => cpuMs.render) * Math.max(1, renderRatio));
  const officeCores = occupied(mean(({ cpuMs }) => cpuMs.office) * Math.max(1, officeRatio));
  const renderProcesses = Math.ceil(Math.max(renderCores, occupied(mean(({ renderMs }) => renderMs))));
  const slots = format === 'pdf' ? Math.ceil(Math.max(officeCores, occupied(mean(({ convertMs }) => convertMs)))) : 0;
  const workers = Math.max(
    minReplicas,
    Math.ceil(mainCores),
    Math.ceil((mainCores + renderCores + officeCores) / worker.cpus),
    Math.ceil(renderProcesses / worker.renderProcesses),
    Math.ceil(slots / worker.officeSlots),
  );
  const apis = Math.max(minReplicas, Math.ceil(occupied(api)));
  const renderMb = Math.max(
    assumedMb.renderProcess,
    busy?.peakMb.renderProcess ?? 0,
    most(({ peakMb }) => peakMb.renderProcess),
  );
  const slotMb = Math.max(
    assumedMb.officeSlot,
    busy?.peakMb.slot ?? 0,
    most(({ peakMb }) => peakMb.slot),
  );
  // Counts all replicas, because each starts all of its engines.
  const allRenderProcesses = workers * worker.renderProcesses;
  const allSlots = format === 'pdf' ? workers * worker.officeSlots : 0;
  const bytes = mean((cost) => cost.bytes);
  const data = mean(({ dataBytes }) => dataBytes);
  const throughRedis = mean((cost) => (cost.bytes <= worker.inlineMaxBytes ? cost.bytes : 0));
  const perSecond = (documentBytes: number): number => (rate * documentBytes) / 1e6;
  const pool = worker.databasePoolSize;

  const rows: readonly Partial<PlannedComponent>[] = [
    {
      component: 'worker replicas',
      count: workers,
      cores: mainCores,
      memoryMb: workers * (assumedMb.worker + (format === 'pdf' ? sharedMemoryMb : 0)),
      postgresConnections: workers * pool,
      redisConnections: workers * redisConnections[format],
    },
    {
      component: 'render processes',
      count: allRenderProcesses,
      cores: renderCores,
      memoryMb: allRenderProcesses * renderMb,
    },
    ...(format === 'pdf'
      ? [{ component: 'LibreOffice slots', count: allSlots, cores: officeCores, memoryMb: allSlots * slotMb }]
      : []),
    {
      component: 'API replicas',
      count: apis,
      cores: occupied(api),
      memoryMb: apis * apiMb,
      postgresConnections: apis * pool,
      redisConnections: apis * redisConnections.api,
    },
    {
      component: 'PostgreSQL',
      cores: occupied(postgres),
      postgresConnections: (workers + apis) * pool + otherPostgresConnections,
      megabytesPerSecond: perSecond(recordedBytes[format].postgresLog),
    },
    {
      component: 'Redis',
      cores: occupied(redis),
      redisConnections: workers * redisConnections[format] + apis * redisConnections.api,
      megabytesPerSecond: perSecond(2 * (throughRedis + data) + redisOverheadBytes),
    },
    { component: 'store, callers wait', megabytesPerSecond: perSecond(2 * (bytes - throughRedis)) },
    { component: 'store, results kept', megabytesPerSecond: perSecond(2 * bytes) },
  ];
  return rows.map((row) => toComponent(format, row));
}

const rounded = (value: number | null | undefined, digits: number): number | null =>
  value === null || value === undefined ? null : Number(value.toFixed(digits));

function toComponent(format: Format, row: Partial<PlannedComponent>): PlannedComponent {
  return {
    format,
    component: row.component ?? '',
    count: row.count ?? null,
    cores: rounded(row.cores, 2),
    memoryMb: rounded(row.memoryMb, 0),
    postgresConnections: row.postgresConnections ?? null,
    redisConnections: row.redisConnections ?? null,
    megabytesPerSecond: rounded(row.megabytesPerSecond, 2),
  };
}
