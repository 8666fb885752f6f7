import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Timers of node and timeouts of PostgreSQL take no more: they would end at once. */
const most = 2 ** 31 - 1;
const count = (fallback: number, min = 0, max = most) => z.coerce.number().int().min(min).max(max).default(fallback);
const url = (...protocols: string[]) =>
  z.string().refine((text) => protocols.includes(URL.canParse(text) ? new URL(text).protocol : ''), {
    message: `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

/** The addresses in `REDIS_URL`: one, or those of several nodes of a cluster. */
export const splitRedisUrls = (text: string): string[] => text.split(/,(?=[a-z]+:\/\/)/);
const isRedisUrl = (text: string): boolean => /^rediss?:\/\//.test(text) && URL.canParse(text);
const redisUrls = z.string().refine((text) => splitRedisUrls(text).every(isRedisUrl), {
  message: 'must be a URL starting with redis:// or rediss://, or several with commas between',
});
const yesOrNo = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

const isCanonicalKey = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
};

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

const database = {
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_POOL_SIZE: count(10, 1, 500),
  DATABASE_TIMEOUT_MS: count(4_000, 100),
};
const common = {
  ...database,
  REDIS_URL: redisUrls,
  REDIS_CLUSTER: yesOrNo,
  QUEUE_PREFIX: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('docmill'),
  S3_ENDPOINT: url('http:', 'https:'),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(3).default('docmill'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_TIMEOUT_MS: count(10_000, 100),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: count(0, 0, 65_535),
  RESULT_TTL_SECONDS: count(86_400, 60),
  DOCUMENT_DEADLINE_SECONDS: count(3_600, 60),
  WAIT_LIMIT_MS: count(60_000, 1_000, 3_600_000),
  SHUTDOWN_TIMEOUT_MS: count(30_000, 1_000),
  WEBHOOK_ALLOW_HTTP: yesOrNo,
  WEBHOOK_ALLOW_PRIVATE: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])))
    .pipe(
      z.array(
        z
          .string()
          .refine((entry) => !entry.includes('/') || ipaddr.isValidCIDR(entry), 'must be hosts, addresses or CIDRs'),
      ),
    ),
  WEBHOOK_SECRET_KEY: z.string().refine(isCanonicalKey, 'must be 32 bytes in base64').optional(),
};
const api = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: count(3000, 0, 65_535),
  PUBLIC_URL: url('http:', 'https:').optional(),
  RATE_LIMIT_REQUESTS: count(1000),
  RATE_LIMIT_WINDOW_SECONDS: count(10, 1, 86_400),
  MAX_CONNECTIONS: count(10_000, 1),
  DRAIN_DELAY_MS: count(2_000),
  MAX_WAITING: count(2_000, 1),
  MAX_WAITING_PER_ACCOUNT: count(500, 1),
  QUEUE_DEPTH_LIMIT: count(5_000, 1),
  QUEUE_AGE_LIMIT_MS: count(30_000, 100),
  QUEUE_DEPTH_LIMIT_ASYNC: count(50_000, 1),
  QUEUE_AGE_LIMIT_ASYNC_MS: count(1_800_000, 100),
  BODY_MEMORY_MB: count(256, 32),
  BATCH_UPLOADS: count(8, 1),
  BATCH_UPLOADS_PER_ACCOUNT: count(2, 1),
  BATCH_LISTENERS: count(500, 1),
  BATCH_LISTENERS_PER_ACCOUNT: count(20, 1),
  KEY_CACHE_SECONDS: count(5, 0, 10),
  ASSETS_PER_ACCOUNT: count(200),
};
const worker = {
  WORKER_QUEUES: z
    .string()
    .default(queueNames.join(','))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(queueNames)).min(1)),
  DOCX_CONCURRENCY: count(8, 1, 256),
  RENDER_PROCESSES: count(Math.max(1, cpus().length), 1, 64),
  RENDER_TIMEOUT_MS: count(10_000, 100),
  RENDER_HEAP_MB: count(512, 64),
  TEMPLATE_CACHE_MB: count(64, 1),
  ASSET_CACHE_MB: count(64, 1),
  OFFICE_SLOTS: count(Math.max(1, cpus().length), 1, 64),
  OFFICE_TEMP_DIR: z.string().min(1).default(scratchFolder()),
  OFFICE_RECYCLE_AFTER: count(500, 1),
  OFFICE_MEMORY_LIMIT_MB: count(1_024, 256),
  OFFICE_START_TIMEOUT_MS: count(30_000, 1_000),
  OFFICE_JAIL: z.enum(['auto', 'required', 'off']).default('auto'),
  OFFICE_PATH: z.string().min(1).optional(),
  OFFICE_PYTHON_PATH: z.string().min(1).optional(),
  CONVERT_TIMEOUT_MS: count(60_000, 1_000),
  BATCH_DOCX_CONCURRENCY: count(8, 1, 256),
  BATCH_RENDER_PROCESSES: count(Math.max(1, cpus().length), 1, 64),
  BATCH_OFFICE_SLOTS: count(Math.max(1, cpus().length), 1, 64),
  BATCH_NICENESS: count(10, 0, 19),
  BATCH_WINDOW: count(256, 1, 10_000),
  BATCH_WINDOW_MB: count(64, 1),
  BATCH_ACCOUNT_LIMIT: count(128, 1, 10_000),
  BATCH_ROUND_MS: count(100, 10, 10_000),
  BUNDLE_CONCURRENCY: count(2, 1, 64),
  JOB_LOCK_MS: count(30_000, 1_000),
  JOB_STALLED_CHECK_MS: count(15_000, 500),
  SWEEP_INTERVAL_MS: count(15_000, 500),
  ORPHAN_SWEEP_INTERVAL_MS: count(3_600_000, 500),
  ORPHAN_AGE_SECONDS: count(3_600),
  RESULT_INLINE_MAX_BYTES: count(8 * 1024 * 1024, 0),
  SMTP_URL: url('smtp:', 'smtps:'),
  MAIL_FROM: z.string().min(3).default('Docmill <documents@localhost>'),
  MAIL_CONNECTIONS: count(3, 1, 100),
  MAIL_MAX_BYTES: count(25 * 1024 * 1024, 1_024),
  MAIL_TIMEOUT_MS: count(60_000, 1_000),
  MAIL_ATTEMPTS: count(24, 1, 100),
  MAIL_BACKOFF_MS: count(5_000, 10),
  WEBHOOK_CONCURRENCY: count(32, 1, 1_000),
  WEBHOOK_TIMEOUT_MS: count(15_000, 100, 30_000),
};

/** Memory-backed where the system has it; one for each user, since a folder belongs to whoever makes it first. */
function scratchFolder(): string {
  const root = process.platform === 'linux' ? '/dev/shm' : tmpdir();
  return join(root, `docmill-${process.getuid?.() ?? 0}`);
}

const oneServer = (config: { readonly REDIS_URL: string; readonly REDIS_CLUSTER: boolean }): boolean =>
  config.REDIS_CLUSTER || splitRedisUrls(config.REDIS_URL).length === 1;
const several = { path: ['REDIS_URL'], message: 'names several servers, which only REDIS_CLUSTER=true allows' };

const adminSchema = z.object(database);
const apiSchema = z.object({ ...common, ...api }).refine(oneServer, several);
const workerSchema = z.object({ ...common, ...worker }).refine(oneServer, several);

export type AdminConfig = z.infer<typeof adminSchema>;
export type ApiConfig = z.infer<typeof apiSchema>;
export type WorkerConfig = z.infer<typeof workerSchema>;
export type CommonConfig = Pick<ApiConfig, keyof typeof common>;
/** The name of every variable, for the documentation's test. */
export const configVariables: readonly string[] = Object.keys({ ...common, ...api, ...worker });

type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {}

function load<T extends z.ZodType>(schema: T, environment: Environment): z.infer<T> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `${name}: ${given[name] === undefined ? 'is not set' : issue.message}`;
  });
  throw new ConfigError(`Configuration is not usable. ${lines.join('; ')}`);
}

/** Each `load*` reads the process environment once and throws a `ConfigError` that names every variable at fault. */
export const loadAdminConfig = (environment: Environment = process.env): AdminConfig => load(adminSchema, environment);
export const loadApiConfig = (environment: Environment = process.env): ApiConfig => load(apiSchema, environment);
export const loadWorkerConfig = (environment: Environment = process.env): WorkerConfig =>
  load(workerSchema, environment);
