import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { Logger } from '../../shared/logger.ts';
import type { DocxPool } from '../docx/sandbox/docx-pool.ts';
import type { OfficePool } from '../pdf/office/office-pool.ts';
import { OnDemand } from './on-demand.ts';

const idleMs = 300_000;

/** Engines of the batch queues, separate from those that serve interactive requests. */
export interface BatchEngines {
  readonly docx: DocxPool;
  readonly office: OfficePool;
}

const noProcesses = { processes: 0, busy: 0, waiting: 0, kills: 0, stops: 0 };
const noSlots = {
  slots: 0,
  warm: 0,
  busy: 0,
  waiting: 0,
  conversions: 0,
  restarts: 0,
  kills: 0,
  stops: 0,
  jail: '',
  engine: undefined,
  isReady: true,
};

/** Engines that run only while batches need them. Undefined when the worker serves no batch queue. */
export function createBatchEngines(
  config: WorkerConfig,
  start: { readonly docx: () => DocxPool; readonly office: () => Promise<OfficePool> },
  logger: Logger,
): BatchEngines | undefined {
  const queues = new Set(config.WORKER_QUEUES);
  if (!queues.has('docx-batch') && !queues.has('pdf-batch')) return undefined;
  const docx = new OnDemand(start.docx, idleMs, logger);
  const office = new OnDemand(start.office, idleMs, logger);
  return {
    docx: {
      render: (request) => docx.use((pool) => pool.render(request)),
      inspect: (bytes, options) => docx.use((pool) => pool.inspect(bytes, options)),
      inspectPicture: (bytes, account) => docx.use((pool) => pool.inspectPicture(bytes, account)),
      inspectFont: (bytes, account) => docx.use((pool) => pool.inspectFont(bytes, account)),
      inspectInvoice: (bytes, account) => docx.use((pool) => pool.inspectInvoice(bytes, account)),
      compareInvoice: (pages, owner) => docx.use((pool) => pool.compareInvoice(pages, owner)),
      makeInvoice: (order, owner) => docx.use((pool) => pool.makeInvoice(order, owner)),
      fillPages: (request) => docx.use((pool) => pool.fillPages(request)),
      status: () => docx.current?.status() ?? noProcesses,
      waitingOf: (account) => docx.current?.waitingOf(account) ?? 0,
      close: () => docx.close(),
    },
    office: {
      convert: (request) => office.use((pool) => pool.convert(request)),
      status: () => office.current?.status() ?? noSlots,
      waitingOf: (account) => office.current?.waitingOf(account) ?? 0,
      close: () => office.close(),
    },
  };
}
