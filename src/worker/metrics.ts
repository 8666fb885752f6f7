import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MachineSize } from '../shared/config/machine-size.ts';
import type { QueueName } from '../shared/config/worker-variables.ts';
import type { OutputFormat } from '../shared/domain/documents/document-record.ts';
import type { ErrorCode } from '../shared/errors.ts';
import type { Engines } from './engines.ts';

export interface WorkerMetrics {
  /** Records a finished run of a job. `retried`: the job will run again. */
  job(queue: QueueName, outcome: 'done' | 'retried' | 'failed', durationMs: number): void;
  /** Records a finished attempt at a document. `retried`: another attempt follows. */
  document(format: OutputFormat, outcome: 'succeeded' | 'retried' | 'failed', code?: ErrorCode): void;
  /** Records a preview whose request was answered. */
  preview(format: 'pdf' | 'png', outcome: 'succeeded' | 'failed', code?: ErrorCode): void;
  /** Records a finished attempt at an e-mail or webhook; `status` is the resulting status of the delivery. */
  delivery(kind: 'mail' | 'webhook', status: string): void;
  /** Records that a template was suspended. */
  suspension(): void;
  /** Records that a document was quarantined. */
  quarantine(): void;
  /** Records a PDF of a proven template: laid out directly, or by LibreOffice because direct layout could not do it. */
  directPdf(outcome: 'served' | 'fallback'): void;
  /** Records that the pages of a template version were compared, and which engine now lays it out. */
  layoutProof(state: 'direct' | 'office'): void;
  /** Records that a caller's document was compared, or could not be. */
  pageCheck(outcome: 'equal' | 'different' | 'failed' | 'skipped'): void;
  /** Records that the signing secret of a webhook could not be decrypted. */
  unreadableSecret(): void;
  /** Records a successful run of a repeated task: a step of a sweep, or a round of the dispatcher. */
  taskDone(task: string): void;
  /** Records a run of the sweep of orphaned objects. `kept`: it removed none, because there were too many or they are held. */
  orphanSweep(outcome: 'done' | 'kept'): void;
  orphansRemoved(objects: number): void;
}

const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * `docmill_jobs_total` and `docmill_job_duration_seconds` by queue, `docmill_documents_total` and
 * `docmill_previews_total` by format, outcome and error, `docmill_deliveries_total` by kind and status,
 * `docmill_template_suspensions_total`, `docmill_quarantines_total`, `docmill_direct_pdfs_total`,
 * `docmill_layout_proofs_total`, `docmill_page_checks_total`, `docmill_webhook_secrets_unreadable_total`,
 * `docmill_orphan_sweeps_total` by outcome, `docmill_orphans_removed_total`, and
 * `docmill_task_last_success_timestamp_seconds` and `docmill_task_interval_seconds` by task. `tasks` has the interval
 * of each in milliseconds. Their timestamps start at the time of this call, so that alerts also notice a task that
 * never succeeds.
 */
export function createWorkerMetrics(registry: Registry, tasks: Readonly<Record<string, number>> = {}): WorkerMetrics {
  const registers = [registry];
  const jobs = new Counter({
    name: 'docmill_jobs_total',
    help: 'Finished runs of jobs.',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'docmill_job_duration_seconds',
    help: 'Duration of job runs.',
    labelNames: ['queue'],
    buckets: bucketsSeconds,
    registers,
  });
  const documents = new Counter({
    name: 'docmill_documents_total',
    help: 'Finished attempts at documents; code is the error code or empty.',
    labelNames: ['format', 'outcome', 'code'],
    registers,
  });
  const previews = new Counter({
    name: 'docmill_previews_total',
    help: 'Previews that a worker answered; code is the error code or empty.',
    labelNames: ['format', 'outcome', 'code'],
    registers,
  });
  const deliveries = new Counter({
    name: 'docmill_deliveries_total',
    help: 'Finished attempts at e-mails and webhooks; a pending delivery is retried.',
    labelNames: ['kind', 'status'],
    registers,
  });
  const suspensions = new Counter({
    name: 'docmill_template_suspensions_total',
    help: 'Templates suspended because their documents hung or crashed an engine.',
    registers,
  });
  const quarantines = new Counter({
    name: 'docmill_quarantines_total',
    help: 'Documents quarantined because they crashed or hung LibreOffice twice.',
    registers,
  });
  const unreadableSecrets = new Counter({
    name: 'docmill_webhook_secrets_unreadable_total',
    help: 'Webhook attempts without a request, because the signing secret could not be decrypted.',
    registers,
  });
  const directPdfs = new Counter({
    name: 'docmill_direct_pdfs_total',
    help: 'PDFs of proven templates: served by direct layout, or left to LibreOffice (fallback).',
    labelNames: ['outcome'],
    registers,
  });
  const layoutProofs = new Counter({
    name: 'docmill_layout_proofs_total',
    help: 'Template versions whose pages were compared, by the engine of their PDFs from then on.',
    labelNames: ['state'],
    registers,
  });
  const pageChecks = new Counter({
    name: 'docmill_page_checks_total',
    help: 'Directly laid out documents that were compared with those of LibreOffice after their answer.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['equal', 'different', 'failed', 'skipped']) pageChecks.inc({ outcome }, 0);
  const orphanSweeps = new Counter({
    name: 'docmill_orphan_sweeps_total',
    help: 'Runs of the sweep of orphaned objects; kept: it removed none, because there were too many or the operator has to decide.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['done', 'kept']) orphanSweeps.inc({ outcome }, 0);
  const orphansRemoved = new Counter({
    name: 'docmill_orphans_removed_total',
    help: 'Objects that the sweep removed because no row refers to them.',
    registers,
  });
  const taskTimes = new Gauge({
    name: 'docmill_task_last_success_timestamp_seconds',
    help: 'When this worker last completed a repeated task, or started; Unix time.',
    labelNames: ['task'],
    registers,
  });
  const taskIntervals = new Gauge({
    name: 'docmill_task_interval_seconds',
    help: 'How often a repeated task runs in the whole service.',
    labelNames: ['task'],
    registers,
  });
  for (const [task, intervalMs] of Object.entries(tasks)) {
    taskTimes.setToCurrentTime({ task });
    taskIntervals.set({ task }, intervalMs / 1_000);
  }
  return {
    job(queue, outcome, durationMs) {
      jobs.inc({ queue, outcome });
      durations.observe({ queue }, durationMs / 1_000);
    },
    document: (format, outcome, code) => documents.inc({ format, outcome, code: code ?? '' }),
    preview: (format, outcome, code) => previews.inc({ format, outcome, code: code ?? '' }),
    delivery: (kind, status) => deliveries.inc({ kind, status }),
    suspension: () => suspensions.inc(),
    quarantine: () => quarantines.inc(),
    directPdf: (outcome) => directPdfs.inc({ outcome }),
    layoutProof: (state) => layoutProofs.inc({ state }),
    pageCheck: (outcome) => pageChecks.inc({ outcome }),
    unreadableSecret: () => unreadableSecrets.inc(),
    taskDone: (task) => taskTimes.setToCurrentTime({ task }),
    orphanSweep: (outcome) => orphanSweeps.inc({ outcome }),
    orphansRemoved: (objects) => orphansRemoved.inc(objects),
  };
}

type Labels = Readonly<Record<string, string>>;
type Reading = readonly [labels: Labels, value: number];
interface Engine<Status> {
  status(): Status;
}

/**
 * Gauges of the engines (`docmill_office_slots`, `docmill_office_jail`, `docmill_office_info`, `docmill_office_waiting`, `docmill_render_processes`,
 * `docmill_render_waiting`) and their totals (`docmill_office_conversions_total`, `docmill_office_restarts_total`,
 * `docmill_office_kills_total`, `docmill_office_stops_total`, `docmill_render_kills_total`, `docmill_render_stops_total`), by pool: `single` for interactive requests, `batch` for rows of batches.
 */
export function watchEngines(registry: Registry, { docx, office, batch }: Engines): void {
  const slots = poolsOf(office, batch?.office);
  const processes = poolsOf(docx, batch?.docx);
  const { gauge, counter } = metricsIn(registry);
  gauge('docmill_office_slots', 'LibreOffice slots: configured, warm and busy.', ['pool', 'state'], () =>
    slots.states(({ slots: wanted, warm, busy }) => ({ wanted, warm, busy })),
  );
  gauge('docmill_office_jail', 'The jail of LibreOffice, by its level; always 1.', ['pool', 'level'], () =>
    slots.labelled('level', ({ jail }) => jail.split('+')[0] ?? ''),
  );
  gauge(
    'docmill_office_info',
    'The office that converts, by product and version; always 1.',
    ['pool', 'name', 'version'],
    () => slots.info(({ engine }) => engine),
  );
  gauge('docmill_office_waiting', 'Documents waiting for a LibreOffice slot.', ['pool'], () =>
    slots.counts(({ waiting }) => waiting),
  );
  counter('docmill_office_conversions_total', 'Documents converted by LibreOffice.', () =>
    slots.counts(({ conversions }) => conversions),
  );
  counter('docmill_office_restarts_total', 'LibreOffice slots that were replaced.', () =>
    slots.counts(({ restarts }) => restarts),
  );
  counter('docmill_office_kills_total', 'LibreOffice slots that were killed.', () =>
    slots.counts(({ kills }) => kills),
  );
  counter('docmill_office_stops_total', 'Conversions stopped because another account waited.', () =>
    slots.counts(({ stops }) => stops),
  );
  gauge('docmill_render_processes', 'Render processes: configured and busy.', ['pool', 'state'], () =>
    processes.states(({ processes: wanted, busy }) => ({ wanted, busy })),
  );
  gauge('docmill_render_waiting', 'Documents waiting for a render process.', ['pool'], () =>
    processes.counts(({ waiting }) => waiting),
  );
  counter('docmill_render_kills_total', 'Render processes that were killed or ended unexpectedly.', () =>
    processes.counts(({ kills }) => kills),
  );
  counter('docmill_render_stops_total', 'Renders and checks stopped because another account waited.', () =>
    processes.counts(({ stops }) => stops),
  );
}

/** `docmill_worker_queues`: 1 for each queue from which this worker takes jobs. */
export function watchServedQueues(registry: Registry, read: () => readonly string[]): void {
  const { gauge } = metricsIn(registry);
  gauge('docmill_worker_queues', 'Queues from which this worker takes jobs; always 1.', ['queue'], () =>
    read().map((queue) => [{ queue }, 1]),
  );
}

/**
 * `docmill_machine_cpus` and `docmill_machine_memory_bytes`: the resources available to this worker, by which its
 * engines are sized.
 */
export function watchMachine(registry: Registry, { cpus, memoryBytes }: MachineSize): void {
  const { gauge } = metricsIn(registry);
  gauge('docmill_machine_cpus', 'Processors that this worker may use.', [], () => [[{}, cpus]]);
  gauge('docmill_machine_memory_bytes', 'Memory that this worker may use.', [], () => [[{}, memoryBytes]]);
}

/** Reads the pools that exist in this worker. */
function poolsOf<Status>(single: Engine<Status> | undefined, batch: Engine<Status> | undefined) {
  const pools = Object.entries({ single, batch });
  const read = <T>(of: (pool: string, status: Status) => readonly T[]): readonly T[] =>
    pools.flatMap(([pool, engine]) => (engine === undefined ? [] : of(pool, engine.status())));
  return {
    counts: (pick: (status: Status) => number): readonly Reading[] =>
      read((pool, status) => [[{ pool }, pick(status)]]),
    states: (pick: (status: Status) => Readonly<Record<string, number>>): readonly Reading[] =>
      read((pool, status) => Object.entries(pick(status)).map(([state, value]) => [{ pool, state }, value])),
    /** 1 with the current strings as labels; nothing while there are none. */
    info: (pick: (status: Status) => object | undefined): readonly Reading[] =>
      read((pool, status) => {
        const labels = pick(status);
        return labels === undefined ? [] : [[{ pool, ...labels }, 1]];
      }),
    /** 1 with the current string as a label; nothing while it is empty. */
    labelled: (name: string, pick: (status: Status) => string): readonly Reading[] =>
      read((pool, status) => (pick(status) === '' ? [] : [[{ pool, [name]: pick(status) }, 1]])),
  };
}

function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    gauge(name: string, help: string, labelNames: readonly string[], read: () => readonly Reading[]): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.set(labels, value);
        },
      });
    },
    counter(name: string, help: string, read: () => readonly Reading[]): void {
      new Counter({
        name,
        help,
        labelNames: ['pool'],
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    },
  };
}
