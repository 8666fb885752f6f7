/** Series of a scraped service in the notation of promtool, with one value a minute. `0+60x1` is 0, then 60. */
export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly fault: string;
  /** Replaces series of the healthy service; undefined removes one. */
  readonly change: Readonly<Record<string, string | undefined>>;
  /** Removes all series that match. */
  readonly without?: RegExp;
  /** The minute at which the alerts are compared; 60 without a value. */
  readonly atMinute?: number;
  /** Exactly these alerts fire, each with these labels. */
  readonly fires: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

const apis = ['api-1:9464', 'api-2:9464'];
const workers = ['worker-1:9464', 'worker-2:9464'];
const queues = ['docx', 'pdf', 'docx-batch', 'pdf-batch', 'inspect', 'mail', 'webhook', 'bundle', 'maintenance'];
const tasks = ['generations', 'deliveries', 'orphans', 'dispatch-docx'];

const apiLabels = (instance: string): string => `job="docmill-api",instance="${instance}"`;
const workerLabels = (instance: string): string => `job="docmill-worker",instance="${instance}"`;

/** A healthy service for `minutes`: two API processes and two workers, with work of every kind. */
export function healthySeries(minutes: number): Series {
  const steady = (value: number): string => `${value}x${minutes}`;
  const growing = (perMinute: number): string => `0+${perMinute}x${minutes}`;
  const series: Record<string, string> = {
    'docmill_backup_last_success_timestamp_seconds{job="node"}': growing(60),
    'probe_ssl_earliest_cert_expiry{job="blackbox",instance="https://docmill.example"}': steady(90 * 86_400),
  };
  const both = (labels: string): void => {
    series[`up{${labels}}`] = steady(1);
    series[`nodejs_eventloop_lag_p99_seconds{${labels}}`] = steady(0.02);
    series[`docmill_database_waiting{${labels}}`] = steady(0);
    for (const check of ['database', 'redis', 'storage', 'bucket']) {
      series[`docmill_readiness_check{${labels},check="${check}"}`] = steady(1);
    }
  };
  for (const instance of apis) {
    const labels = apiLabels(instance);
    both(labels);
    series[`docmill_readiness_check{${labels},check="accepting"}`] = steady(1);
    series[`docmill_http_requests_total{${labels},status="200"}`] = growing(600);
    series[`docmill_http_requests_total{${labels},status="402"}`] = growing(30);
    series[`docmill_http_requests_total{${labels},status="503"}`] = growing(3);
    const generate = `${labels},method="POST",route="/v1/templates/{id}/generate"`;
    series[`docmill_http_request_duration_seconds_bucket{${generate},le="10"}`] = growing(299);
    series[`docmill_http_request_duration_seconds_count{${generate}}`] = growing(300);
    series[`docmill_http_errors_total{${labels},code="quota_exceeded"}`] = growing(30);
    series[`docmill_http_errors_total{${labels},code="unavailable"}`] = growing(3);
    series[`docmill_waiting_data_bytes{${labels}}`] = steady(10e6);
    series[`docmill_waiting_data_limit_bytes{${labels}}`] = steady(160e6);
    for (const queue of [...queues, 'pdf@7.4']) {
      series[`docmill_queue_jobs{${labels},queue="${queue}",state="waiting"}`] = steady(queue === 'pdf@7.4' ? 0 : 2);
      series[`docmill_queue_oldest_job_age_seconds{${labels},queue="${queue}"}`] = steady(4);
    }
  }
  for (const instance of workers) {
    const labels = workerLabels(instance);
    both(labels);
    for (const check of ['queues', 'office']) series[`docmill_readiness_check{${labels},check="${check}"}`] = steady(1);
    for (const queue of [...queues, 'pdf@25.2'])
      series[`docmill_worker_queues{${labels},queue="${queue}"}`] = steady(1);
    for (const table of ['generations', 'ledger', 'deliveries'])
      series[`docmill_partitions_until_timestamp_seconds{${labels},table="${table}"}`] = steady(92 * 86_400);
    for (const task of tasks) {
      series[`docmill_task_last_success_timestamp_seconds{${labels},task="${task}"}`] = growing(60);
      series[`docmill_task_interval_seconds{${labels},task="${task}"}`] = steady(task === 'orphans' ? 3_600 : 15);
    }
    for (const state of ['wanted', 'warm'])
      series[`docmill_office_slots{${labels},pool="single",state="${state}"}`] = steady(4);
    series[`docmill_office_slots{${labels},pool="batch",state="wanted"}`] = steady(4);
    series[`docmill_office_slots{${labels},pool="batch",state="warm"}`] = steady(0);
    series[`docmill_office_jail{${labels},pool="single",level="bubblewrap"}`] = steady(1);
    series[`docmill_office_kills_total{${labels},pool="single"}`] = steady(3);
    series[`docmill_render_kills_total{${labels},pool="single"}`] = steady(5);
    series[`docmill_quarantines_total{${labels}}`] = steady(2);
    series[`docmill_template_suspensions_total{${labels}}`] = steady(1);
    for (const [outcome, value] of [
      ['equal', growing(3)],
      ['different', steady(0)],
    ] as const)
      series[`docmill_page_checks_total{${labels},outcome="${outcome}"}`] = value;
    series[`docmill_webhook_secrets_unreadable_total{${labels}}`] = steady(0);
    series[`docmill_orphan_sweeps_total{${labels},outcome="done"}`] = growing(1);
    series[`docmill_orphan_sweeps_total{${labels},outcome="kept"}`] = steady(0);
    series[`docmill_documents_total{${labels},format="pdf",outcome="succeeded",code=""}`] = growing(300);
    series[`docmill_documents_total{${labels},format="pdf",outcome="failed",code="invalid_data"}`] = growing(30);
    series[`docmill_deliveries_total{${labels},kind="mail",status="sent"}`] = growing(20);
    series[`docmill_deliveries_total{${labels},kind="mail",status="pending"}`] = growing(1);
    series[`docmill_deliveries_total{${labels},kind="webhook",status="delivered"}`] = growing(20);
    series[`docmill_deliveries_total{${labels},kind="webhook",status="pending"}`] = growing(2);
  }
  return series;
}

const api1 = apiLabels('api-1:9464');
const worker1 = workerLabels('worker-1:9464');
const worker2 = workerLabels('worker-2:9464');
const ofApi1 = { job: 'docmill-api', instance: 'api-1:9464' };
const onBoth = (name: (labels: string) => string, value: string): Record<string, string> => ({
  [name(worker1)]: value,
  [name(worker2)]: value,
});

export const alertCases: readonly AlertCase[] = [
  { fault: 'nothing', change: {}, fires: {} },
  {
    fault: 'one process does not answer',
    change: { [`up{${api1}}`]: '1x50 0x10' },
    fires: { DocmillProcessDown: [ofApi1] },
  },
  {
    fault: 'no API process answers, so that its metrics are missing',
    change: Object.fromEntries(apis.map((instance) => [`up{${apiLabels(instance)}}`, '0x60'])),
    without: /^docmill_.*docmill-api/,
    fires: {
      DocmillProcessDown: apis.map((instance) => ({ job: 'docmill-api', instance })),
      DocmillServiceDown: [{ job: 'docmill-api' }],
      DocmillQueueStatsMissing: [{}],
    },
  },
  {
    fault: 'Redis cannot be reached, so that queues are not counted',
    change: Object.fromEntries(
      [...apis.map(apiLabels), ...workers.map(workerLabels)].map((labels) => [
        `docmill_readiness_check{${labels},check="redis"}`,
        '1x58 0x2',
      ]),
    ),
    without: /^docmill_queue_/,
    fires: { DocmillQueueStatsMissing: [{}], DocmillDependencyDown: [{ check: 'redis' }] },
  },
  ...['database', 'storage'].map((check) => ({
    fault: `no process reaches the ${check}`,
    change: Object.fromEntries(
      [...apis.map(apiLabels), ...workers.map(workerLabels)].map((labels) => [
        `docmill_readiness_check{${labels},check="${check}"}`,
        '1x58 0x2',
      ]),
    ),
    fires: { DocmillDependencyDown: [{ check }] },
  })),
  {
    fault: 'one process does not reach the store',
    change: { [`docmill_readiness_check{${api1},check="storage"}`]: '1x50 0x10' },
    fires: { DocmillProcessNotReady: [{ ...ofApi1, check: 'storage' }] },
  },
  {
    fault: 'the bucket of one worker belongs to another database',
    change: { [`docmill_readiness_check{${worker1},check="bucket"}`]: '1x50 0x10' },
    fires: { DocmillBucketForeign: [{ job: 'docmill-worker' }] },
  },
  {
    fault: 'the database is older than the objects of the bucket',
    change: { [`docmill_orphan_sweeps_total{${worker1},outcome="kept"}`]: '0x50 1x10' },
    fires: { DocmillOrphansKept: [{}] },
  },
  {
    fault: 'one API process drains',
    change: { [`docmill_readiness_check{${api1},check="accepting"}`]: '1x50 0x10' },
    fires: {},
  },
  {
    fault: 'all workers are gone and forgotten by the discovery',
    change: {},
    without: /docmill-worker/,
    fires: {
      DocmillWorkersMissing: queues.map((queue) => ({ queue })),
      DocmillNoWarmSlot: [{}],
    },
  },
  ...queues.map((queue) => ({
    fault: `no worker serves ${queue}`,
    change: {},
    without: new RegExp(`^docmill_worker_queues.*queue="${queue}"`),
    fires: { DocmillWorkersMissing: [{ queue }] },
  })),
  {
    fault: 'documents wait for an engine that no worker has',
    change: { [`docmill_queue_jobs{${api1},queue="pdf@7.4",state="waiting"}`]: '0x50 3x10' },
    fires: { DocmillEngineMissing: [{ queue: 'pdf@7.4' }] },
  },
  {
    fault: 'the sweep of documents has stopped, the others go on',
    change: onBoth((labels) => `docmill_task_last_success_timestamp_seconds{${labels},task="generations"}`, '3000x60'),
    fires: { DocmillTaskStopped: [{ task: 'generations' }] },
  },
  {
    fault: 'one of two workers has long done no sweep, the other has',
    change: { [`docmill_task_last_success_timestamp_seconds{${worker1},task="generations"}`]: '0x60' },
    fires: {},
  },
  {
    fault: 'the dispatcher of batches has stopped',
    change: onBoth((labels) => `docmill_task_last_success_timestamp_seconds{${labels},task="dispatch-docx"}`, '0x60'),
    fires: { DocmillTaskStopped: [{ task: 'dispatch-docx' }] },
  },
  {
    fault: 'statements wait for connections',
    change: { [`docmill_database_waiting{${worker1}}`]: '0x50 4x10' },
    fires: { DocmillDatabaseBusy: [{ job: 'docmill-worker' }] },
  },
  {
    fault: 'an event loop is blocked',
    change: { [`nodejs_eventloop_lag_p99_seconds{${api1}}`]: '0x50 0.8x10' },
    fires: { DocmillEventLoopBlocked: [{ instance: 'api-1:9464' }] },
  },
  {
    fault: 'requests end at the wait limit',
    change: { [`docmill_http_requests_total{${api1},status="504"}`]: '0+20x60' },
    fires: { DocmillFailsRequests: [{}], DocmillErrorBudgetBurns: [{}], DocmillErrorBudgetLeaks: [{}] },
  },
  {
    fault: 'a few requests fail, hour after hour',
    change: { [`docmill_http_requests_total{${api1},status="500"}`]: '0+10x60' },
    fires: { DocmillErrorBudgetBurns: [{}], DocmillErrorBudgetLeaks: [{}] },
  },
  {
    fault: 'fewer requests fail, but more than the objective allows',
    change: { [`docmill_http_requests_total{${api1},status="500"}`]: '0+2x60' },
    fires: { DocmillErrorBudgetLeaks: [{}] },
  },
  {
    fault: 'requests failed until an hour ago',
    change: { [`docmill_http_requests_total{${api1},status="504"}`]: '0+20x60 1200x60' },
    atMinute: 120,
    fires: { DocmillErrorBudgetLeaks: [{}] },
  },
  {
    fault: 'some documents take longer than ten seconds',
    change: {
      [`docmill_http_request_duration_seconds_bucket{${api1},method="POST",route="/v1/templates/{id}/generate",le="10"}`]:
        '0+285x60',
    },
    fires: { DocmillDocumentsSlow: [{}] },
  },
  {
    fault: 'many requests are refused for lack of capacity',
    change: { [`docmill_http_errors_total{${api1},code="unavailable"}`]: '0+120x60' },
    fires: { DocmillUnavailable: [{}] },
  },
  ...['docx', 'inspect', 'pdf', 'pdf@7.4'].map((queue) => ({
    fault: `callers wait in ${queue}`,
    change: { [`docmill_queue_oldest_job_age_seconds{${api1},queue="${queue}"}`]: '4x50 20x10' },
    fires: { DocmillQueueSlow: [{ queue }] },
  })),
  {
    fault: 'waiting data nearly fill their memory',
    change: { [`docmill_waiting_data_bytes{${api1}}`]: '10000000x50 140000000x10' },
    fires: { DocmillWaitingDataHigh: [{}] },
  },
  ...['docx-batch', 'pdf-batch', 'pdf-batch@7.4'].map((queue) => ({
    fault: `rows are stuck in ${queue}`,
    change: { [`docmill_queue_oldest_job_age_seconds{${api1},queue="${queue}"}`]: '4x40 1000x20' },
    fires: { DocmillBatchesStuck: [{ queue }] },
  })),
  {
    fault: 'documents fail because of the service',
    change: { [`docmill_documents_total{${worker1},format="pdf",outcome="failed",code="worker_lost"}`]: '0+20x60' },
    fires: { DocmillDocumentsFail: [{}] },
  },
  {
    fault: 'LibreOffice does not start',
    change: {
      ...onBoth((labels) => `docmill_office_slots{${labels},pool="single",state="warm"}`, '0x60'),
      ...onBoth((labels) => `docmill_readiness_check{${labels},check="office"}`, '0x60'),
    },
    fires: {
      DocmillNoWarmSlot: [{}],
      DocmillSlotsCold: workers.map((instance) => ({ instance })),
      DocmillProcessNotReady: workers.map((instance) => ({ job: 'docmill-worker', instance, check: 'office' })),
    },
  },
  {
    fault: 'one slot of one worker stays cold',
    change: { [`docmill_office_slots{${worker1},pool="single",state="warm"}`]: '3x60' },
    fires: { DocmillSlotsCold: [{ instance: 'worker-1:9464' }] },
  },
  {
    fault: 'a worker has no namespaces for its jail',
    change: { [`docmill_office_jail{${worker2},pool="single",level="bare"}`]: '1x60' },
    fires: { DocmillJailWeak: [{ instance: 'worker-2:9464', level: 'bare' }] },
  },
  {
    fault: 'documents crash LibreOffice',
    change: { [`docmill_office_kills_total{${worker1},pool="single"}`]: '0+1x60' },
    fires: { DocmillSlotsKilled: [{}] },
  },
  {
    fault: 'templates fill the memory of their processes',
    change: { [`docmill_render_kills_total{${worker1},pool="single"}`]: '0+2x60' },
    fires: { DocmillRendersKilled: [{}] },
  },
  {
    fault: 'documents are quarantined',
    change: { [`docmill_quarantines_total{${worker1}}`]: '0x20 0+1x40' },
    fires: { DocmillQuarantineGrows: [{}] },
  },
  {
    fault: 'a template is suspended',
    change: { [`docmill_template_suspensions_total{${worker1}}`]: '1x50 2x10' },
    fires: { DocmillTemplateSuspended: [{}] },
  },
  {
    fault: 'a directly laid out PDF differs',
    change: { [`docmill_page_checks_total{${worker1},outcome="different"}`]: '0x50 1x10' },
    fires: { DocmillPagesDiffer: [{}] },
  },
  ...['mail', 'webhook', 'bundle'].map((queue) => ({
    fault: `jobs are stuck in ${queue}`,
    change: { [`docmill_queue_oldest_job_age_seconds{${api1},queue="${queue}"}`]: '4x40 700x20' },
    fires: { DocmillDeliveriesStuck: [{ queue }] },
  })),
  {
    fault: 'the mail server refuses messages',
    change: { [`docmill_deliveries_total{${worker1},kind="mail",status="failed"}`]: '0+10x60' },
    fires: { DocmillMailFails: [{}] },
  },
  {
    fault: 'the mail server is down',
    change: onBoth((labels) => `docmill_deliveries_total{${labels},kind="mail",status="pending"}`, '0+40x60'),
    fires: { DocmillMailDeferred: [{}] },
  },
  {
    fault: 'webhooks have no way out',
    change: onBoth((labels) => `docmill_deliveries_total{${labels},kind="webhook",status="pending"}`, '0+40x60'),
    fires: { DocmillWebhooksFail: [{}] },
  },
  {
    fault: 'a worker has another sealing key than the API',
    change: { [`docmill_webhook_secrets_unreadable_total{${worker1}}`]: '0x55 3x5' },
    fires: { DocmillSealingKeyWrong: [{}] },
  },
  {
    fault: 'no partitions have been made for weeks',
    change: onBoth((labels) => `docmill_partitions_until_timestamp_seconds{${labels},table="ledger"}`, '3800000x70'),
    atMinute: 70,
    fires: { DocmillPartitionsMissing: [{ table: 'ledger' }] },
  },
  {
    fault: 'the backup of last night has failed',
    // Relative to the beginning of the series, at the time 0.
    change: { 'docmill_backup_last_success_timestamp_seconds{job="node"}': '-93000x60' },
    fires: { DocmillBackupOld: [{}] },
  },
  {
    fault: 'nothing reports backups',
    change: { 'docmill_backup_last_success_timestamp_seconds{job="node"}': undefined },
    atMinute: 70,
    fires: { DocmillBackupUnknown: [{}] },
  },
  {
    fault: 'a certificate expires soon',
    change: { 'probe_ssl_earliest_cert_expiry{job="blackbox",instance="https://docmill.example"}': '600000x60' },
    fires: { DocmillCertificateExpires: [{ instance: 'https://docmill.example' }] },
  },
];
