import type { MachineSize } from './machine-size.ts';
import type { QueueName } from './worker-variables.ts';

/** How many processes fill templates and how many convert, for callers and for batches. */
export interface EngineCounts {
  readonly RENDER_PROCESSES: number;
  readonly OFFICE_SLOTS: number;
  readonly BATCH_RENDER_PROCESSES: number;
  readonly BATCH_OFFICE_SLOTS: number;
}

/** What a worker runs besides. */
export interface PlannedEngines extends EngineCounts {
  /** With `on`, as many processes lay out pages without LibreOffice as fill templates for callers. */
  readonly DIRECT_PDF: 'on' | 'off';
}

const megabyte = 1024 * 1024;
/** Memory assumed for planning, at ordinary documents. Limits of single processes are higher and rarely reached. */
export const assumedMb = { worker: 512, renderProcess: 256, officeSlot: 512, directProcess: 256 } as const;
const maxProcesses = 64;

/**
 * The numbers of processes for which nothing is configured: one of each kind for each processor, or fewer where the
 * memory does not hold them. Engines of batches and of callers fit together. Under a CPU quota they also share the
 * processors, a quarter for batches, because niceness cannot order what a quota stops; otherwise the niceness of
 * batches does that, and each may use all.
 */
export function countEngines(
  machine: MachineSize,
  queues: readonly QueueName[],
  directPdf: PlannedEngines['DIRECT_PDF'],
): EngineCounts {
  const serves = (...names: readonly QueueName[]): boolean => names.some((name) => queues.includes(name));
  const single = { render: serves('docx', 'pdf', 'inspect'), office: serves('pdf') };
  const batch = { render: serves('docx-batch', 'pdf-batch'), office: serves('pdf-batch') };
  const isDirect = directPdf === 'on' && (single.office || batch.office);
  const isShared = machine.hasCpuQuota && single.render && batch.render;
  const batchCpus = isShared ? Math.max(1, Math.floor(machine.cpus / 4)) : machine.cpus;
  const singleCpus = isShared ? Math.max(1, machine.cpus - batchCpus) : machine.cpus;
  const fitting = sharesThatFit(machine.memoryBytes / megabyte - assumedMb.worker, [
    { cpus: singleCpus, sizeMb: sizeOf(single) + (isDirect ? assumedMb.directProcess : 0) },
    { cpus: batchCpus, sizeMb: sizeOf(batch) },
  ]);
  const [singleCount = 1, batchCount = 1] = fitting;
  return {
    RENDER_PROCESSES: singleCount,
    OFFICE_SLOTS: singleCount,
    BATCH_RENDER_PROCESSES: batchCount,
    BATCH_OFFICE_SLOTS: batchCount,
  };
}

/** The memory that one engine of each kind takes, in MB. */
export function plannedMb(counts: PlannedEngines, queues: readonly QueueName[]): number {
  const serves = (...names: readonly QueueName[]): number => (names.some((name) => queues.includes(name)) ? 1 : 0);
  return (
    assumedMb.worker +
    assumedMb.renderProcess *
      (counts.RENDER_PROCESSES * serves('docx', 'pdf', 'inspect') +
        counts.BATCH_RENDER_PROCESSES * serves('docx-batch', 'pdf-batch')) +
    (counts.DIRECT_PDF === 'on' ? assumedMb.directProcess * counts.RENDER_PROCESSES * serves('pdf', 'pdf-batch') : 0) +
    assumedMb.officeSlot * (counts.OFFICE_SLOTS * serves('pdf') + counts.BATCH_OFFICE_SLOTS * serves('pdf-batch'))
  );
}

function sizeOf({ render, office }: { readonly render: boolean; readonly office: boolean }): number {
  return (render ? assumedMb.renderProcess : 0) + (office ? assumedMb.officeSlot : 0);
}

interface Demand {
  readonly cpus: number;
  /** Memory of one process of each kind; 0 when the worker serves no such queue. */
  readonly sizeMb: number;
}

/** The same share of every demand, rounded down, at least one of each. */
function sharesThatFit(memoryMb: number, demands: readonly Demand[]): number[] {
  const wantedMb = demands.reduce((sum, { cpus, sizeMb }) => sum + cpus * sizeMb, 0);
  const share = wantedMb === 0 ? 1 : Math.min(1, Math.max(0, memoryMb) / wantedMb);
  return demands.map(({ cpus }) => Math.min(maxProcesses, Math.max(1, Math.floor(cpus * share))));
}
