/** Short times, so that locks, sweeps and limits end within a row. Everything else is the service's default. */
export const fastSettings: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'info',
  WORKER_QUEUES: 'docx,inspect,mail,maintenance',
  RATE_LIMIT_REQUESTS: '0',
  S3_TIMEOUT_MS: '4000',
  JOB_LOCK_MS: '3000',
  JOB_STALLED_CHECK_MS: '1000',
  SWEEP_INTERVAL_MS: '1000',
  ORPHAN_SWEEP_INTERVAL_MS: '1000',
  ORPHAN_AGE_SECONDS: '5',
  WAIT_LIMIT_MS: '30000',
  DRAIN_DELAY_MS: '300',
  SHUTDOWN_TIMEOUT_MS: '10000',
  KEY_CACHE_SECONDS: '1',
  DOCUMENT_DEADLINE_SECONDS: '120',
  RESULT_TTL_SECONDS: '600',
  RENDER_PROCESSES: '1',
  RENDER_TIMEOUT_MS: '4000',
  DOCX_CONCURRENCY: '4',
  OFFICE_SLOTS: '1',
  OFFICE_MEMORY_LIMIT_MB: '1024',
  CONVERT_TIMEOUT_MS: '6000',
  MAIL_TIMEOUT_MS: '2000',
  MAIL_BACKOFF_MS: '200',
  MAIL_ATTEMPTS: '4',
};

/** For a row of many requests at one row of the database: on a busy machine the last of them waits longer than the short time. */
export const patient = { api: { env: { DATABASE_TIMEOUT_MS: '10000' } } };

/** For a row in which a database that does not answer is waited for. */
export const impatient: Readonly<Record<string, string>> = { DATABASE_TIMEOUT_MS: '2000' };
