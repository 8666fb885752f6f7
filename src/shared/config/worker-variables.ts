import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { certificates } from './pem.ts';
import { count, secret, text, url, variable } from './variable.ts';

/** Every queue, by name. */
export const queueNames = [
  'docx',
  'pdf',
  'docx-batch',
  'pdf-batch',
  'inspect',
  'mail',
  'webhook',
  'bundle',
  'maintenance',
] as const;
export type QueueName = (typeof queueNames)[number];

const queueList = z
  .string()
  .default(queueNames.join(','))
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(queueNames)).min(1));

/** Defaults to a number that depends on the machine; see `countEngines`. */
const perCore = z.coerce.number().int().min(1).max(64).optional();
const cores = 'number of cores (limits of the control group and memory respected)';

export const workerVariables = {
  WORKER_QUEUES: variable(
    queueList,
    'names',
    `Queues that this worker serves, separated by commas: ${queueNames.map((name) => `\`${name}\``).join(', ')}.`,
    'all',
  ),
  DOCX_CONCURRENCY: variable(
    count(8, 1, 256),
    'jobs',
    'Documents of one account that this worker takes from the docx queue at a time; for all accounts, twice as many. With `DIRECT_PDF`, also how many PDFs it takes beyond those that LibreOffice may have to lay out.',
  ),
  RENDER_PROCESSES: variable(perCore, 'processes', 'Processes that fill and check templates.', cores),
  RENDER_TIMEOUT_MS: variable(count(10_000, 100), 'ms', 'Limit for filling or checking one template.'),
  RENDER_HEAP_MB: variable(count(512, 64), 'MB', 'Heap of each render process.'),
  TEMPLATE_CACHE_MB: variable(
    count(64, 1),
    'MB',
    'Cache of template files in the worker, and of parsed templates in each render process.',
  ),
  ASSET_CACHE_MB: variable(count(64, 1), 'MB', 'Cache of pictures from `/v1/assets`.'),
  FONT_CACHE_MB: variable(count(64, 1), 'MB', 'Cache of fonts from `/v1/fonts` in the worker.'),
  OFFICE_SLOTS: variable(perCore, 'processes', 'Warm LibreOffice processes.', cores),
  OFFICE_TEMP_DIR: variable(
    text.default(scratchFolder()),
    'folder',
    'Working folder of LibreOffice; should be memory-backed.',
    '/dev/shm/docmill-*uid*',
  ),
  OFFICE_RECYCLE_AFTER: variable(
    count(500, 1),
    'conversions',
    'Conversions after which a LibreOffice process is replaced, off the request path.',
  ),
  OFFICE_MEMORY_LIMIT_MB: variable(count(1_024, 256), 'MB', 'Memory beyond which a LibreOffice process is replaced.'),
  OFFICE_START_TIMEOUT_MS: variable(
    count(30_000, 1_000),
    'ms',
    'Limit for starting a LibreOffice process. Twice and four times as long after failed starts; a worker ends when each of its processes has failed to start three times.',
  ),
  OFFICE_JAIL: variable(
    z.enum(['auto', 'required', 'off']).default('auto'),
    'auto, required, off',
    '`required` refuses to start without Linux namespaces; `off` runs LibreOffice without a jail.',
  ),
  OFFICE_PATH: variable(
    text.optional(),
    'folder or file',
    'The LibreOffice to use: its installation folder, which contains `program`, or its `soffice` binary.',
    'searched',
  ),
  OFFICE_PYTHON_PATH: variable(
    text.optional(),
    'file',
    "A Python interpreter with LibreOffice's `uno` module.",
    'searched',
  ),
  CONVERT_TIMEOUT_MS: variable(count(60_000, 1_000), 'ms', 'Limit for one conversion to PDF.'),
  DIRECT_PDF_PAGE_CHECKS: variable(
    z.coerce.number().min(0).max(1).default(0.01),
    'share',
    "Share of directly laid out PDFs, 0 to 1, that are compared with LibreOffice's after the response. The first ten of a template version are always compared, unless it is 0.",
  ),
  BATCH_DOCX_CONCURRENCY: variable(
    count(8, 1, 256),
    'jobs',
    'Jobs of the docx-batch queue at a time, and with `DIRECT_PDF` of the pdf-batch queue.',
  ),
  BATCH_RENDER_PROCESSES: variable(
    perCore,
    'processes',
    'Render processes for batches; they start when there is a batch.',
    cores,
  ),
  BATCH_OFFICE_SLOTS: variable(
    perCore,
    'processes',
    'LibreOffice processes of the pdf-batch queue; they start when there is a batch.',
    cores,
  ),
  BATCH_NICENESS: variable(count(10, 0, 19), 'nice value', 'Niceness of the processes that serve batches.'),
  BATCH_WINDOW: variable(
    count(256, 1, 10_000),
    'rows',
    'Maximum number of rows of all batches in a batch queue; the others wait in PostgreSQL.',
  ),
  BATCH_WINDOW_MB: variable(count(64, 1), 'MB', 'Maximum size of the data of these rows in Redis.'),
  BATCH_ACCOUNT_LIMIT: variable(
    count(128, 1, 10_000),
    'rows',
    'Maximum number of rows of one account in a batch queue.',
  ),
  BATCH_ROUND_MS: variable(count(100, 10, 10_000), 'ms', 'Pause between two rounds of the batch dispatcher.'),
  BUNDLE_CONCURRENCY: variable(
    count(2, 1, 64),
    'jobs',
    'Jobs of the bundle queue at a time: zips and merged PDFs of batches.',
  ),
  JOB_LOCK_MS: variable(
    count(8_000, 1_000),
    'ms',
    'A job goes to another worker if its own has not renewed the lock for this long. Must exceed the longest pause of a healthy worker; a shorter time recovers documents sooner after a crash.',
  ),
  JOB_STALLED_CHECK_MS: variable(count(1_000, 500), 'ms', 'How often workers check for such jobs.'),
  SWEEP_INTERVAL_MS: variable(count(15_000, 500), 'ms', 'How often the sweep repairs what crashes left behind.'),
  ORPHAN_SWEEP_INTERVAL_MS: variable(
    count(3_600_000, 500),
    'ms',
    'How often orphaned objects, which no row refers to, are removed from the store.',
  ),
  ORPHAN_AGE_SECONDS: variable(count(3_600), 's', 'Minimum age of an object before it is removed as an orphan.'),
  ORPHAN_REMOVAL_LIMIT: variable(
    count(100),
    'objects',
    'Maximum number of orphans that a run removes; beyond 10, also at most a tenth of the objects. If a run finds more, it removes none, because the database may be the wrong one.',
  ),
  QUARANTINE_TTL_SECONDS: variable(
    count(14 * 86_400),
    's',
    'How long after its last failure a document that crashed or hung LibreOffice stays in quarantine and its file is kept.',
  ),
  AUDIT_DAYS: variable(
    count(730, 366, 36_500),
    'days',
    'How long the audit log and the use of keys are kept; the database keeps entries for at least a year.',
  ),
  RESULT_INLINE_MAX_BYTES: variable(
    count(8 * 1024 * 1024, 0),
    'bytes',
    'Larger documents travel through the object store instead of Redis.',
  ),
  SMTP_URL: secret(
    url('smtp:', 'smtps:').optional(),
    'URL',
    'The mail server: `smtp://user:password@host:port` (STARTTLS; with `?tls=required` nothing else) or `smtps://…`.',
    'required for the queue `mail`',
  ),
  SMTP_CA: secret(
    certificates,
    'PEM',
    'Authorities to trust for the certificate of the mail server, instead of the public ones.',
  ),
  MAIL_FROM: variable(
    z.string().min(3).optional(),
    'address',
    'Sender of e-mails. Unless it is set, the name of the sender is `BRAND_NAME`.',
    '"Docmill" <documents@localhost>',
  ),
  MAIL_CONNECTIONS: variable(count(3, 1, 100), 'connections', 'Connections to the mail server.'),
  MAIL_MAX_BYTES: variable(count(25 * 1024 * 1024, 1_024), 'bytes', 'Size limit of a whole message.'),
  MAIL_TIMEOUT_MS: variable(count(60_000, 1_000), 'ms', 'Limit for each reply of the mail server.'),
  MAIL_ATTEMPTS: variable(
    count(24, 1, 100),
    'attempts',
    'Attempts to deliver an e-mail; with the default pauses they span more than 15 hours.',
  ),
  MAIL_BACKOFF_MS: variable(
    count(5_000, 10),
    'ms',
    'Pause before the second attempt; it doubles after each attempt, up to an hour.',
  ),
  WEBHOOK_CONCURRENCY: variable(
    count(32, 1, 1_000),
    'requests',
    'Webhook requests of this process at a time; across all processes, 8 for one account and 4 to one address.',
  ),
  WEBHOOK_CA: secret(
    certificates,
    'PEM',
    'Authorities to trust for the certificates of webhook receivers, in addition to the public ones.',
  ),
  WEBHOOK_TIMEOUT_MS: variable(
    count(15_000, 100, 30_000),
    'ms',
    'Limit for one webhook request, from resolving its host to the response.',
  ),
};

/** In memory on Linux. One folder per user, because a shared one would belong to the user who created it first. */
function scratchFolder(): string {
  const root = process.platform === 'linux' ? '/dev/shm' : tmpdir();
  return join(root, `docmill-${process.getuid?.() ?? 0}`);
}
