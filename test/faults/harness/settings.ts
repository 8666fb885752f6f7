/**
 * Short times for locks and sweeps, so that lost work is found soon, and long ones for what only a busy machine delays.
 */
export const fastSettings: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'info',
  WORKER_QUEUES: 'docx,inspect,mail,maintenance',
  RATE_LIMIT_REQUESTS: '0',
  MAIL_MESSAGES_PER_RECIPIENT_PER_DAY: '1000000000',
  DATABASE_TIMEOUT_MS: '20000',
  S3_TIMEOUT_MS: '20000',
  JOB_LOCK_MS: '3000',
  JOB_STALLED_CHECK_MS: '1000',
  SWEEP_INTERVAL_MS: '1000',
  ORPHAN_SWEEP_INTERVAL_MS: '1000',
  ORPHAN_AGE_SECONDS: '5',
  WAIT_LIMIT_MS: '110000',
  DRAIN_DELAY_MS: '300',
  SHUTDOWN_TIMEOUT_MS: '60000',
  KEY_CACHE_SECONDS: '1',
  DOCUMENT_DEADLINE_SECONDS: '120',
  RESULT_TTL_SECONDS: '600',
  // Most rows are about LibreOffice; those about direct layout turn it on.
  DIRECT_PDF: 'off',
  RENDER_PROCESSES: '1',
  RENDER_TIMEOUT_MS: '60000',
  DOCX_CONCURRENCY: '4',
  OFFICE_SLOTS: '1',
  OFFICE_START_TIMEOUT_MS: '120000',
  OFFICE_MEMORY_LIMIT_MB: '1024',
  MAIL_BACKOFF_MS: '200',
  MAIL_ATTEMPTS: '4',
};

/** For rows that wait for a database that does not answer. */
export const impatient: Readonly<Record<string, string>> = { DATABASE_TIMEOUT_MS: '2000' };
