import type { MachineSize } from './machine-size.ts';
import type { QueueName } from './worker-variables.ts';

/** The number of processes that fill templates and that convert, for interactive requests and for batches. */
export interface EngineCounts {
  readonly RENDER_PROCESSES: number;
  readonly OFFICE_SLOTS: number;
  readonly BATCH_RENDER_PROCESSES: number;
  readonly BATCH_OFFICE_SLOTS: number;
}

/** The engines of a worker, including those for direct layout. */
export interface PlannedEngines extends EngineCounts {
  /**
   * If `on`, pages are also laid out without LibreOffice, by as many processes as fill templates for interactive
   * requests.
   */
  readonly DIRECT_PDF: 'on' | 'off';
}

const megabyte = 1024 * 1024;
/**
 * Memory assumed for planning, for ordinary documents. The limits of individual processes are higher and rarely
 * reached.
 */
export const assumedMb = { worker: 512, renderProcess: 256, officeSlot: 512, directProcess: 256 } as const;
const maxProcesses = 64;

/**
 * The default numbers of processes: one of each kind per processor, or fewer if memory does not suffice. Batch engines
 * and interactive engines must fit together. A CPU quota also divides the processors, with a quarter for batches,
 * because niceness has no effect on processes that a quota throttles. Without a quota, niceness puts batches last, and
 * each kind may use every processor.
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

/** The memory that all planned engines take together, in MB. */
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

/** Scales every demand by the same factor and rounds down, but grants at least one of each. */
function sharesThatFit(memoryMb: number, demands: readonly Demand[]): number[] {
  const wantedMb = demands.reduce((sum, { cpus, sizeMb }) => sum + cpus * sizeMb, 0);
  const share = wantedMb === 0 ? 1 : Math.min(1, Math.max(0, memoryMb) / wantedMb);
  return demands.map(({ cpus }) => Math.min(maxProcesses, Math.max(1, Math.floor(cpus * share))));
}
