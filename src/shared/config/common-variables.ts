import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { brandName } from './brand-variables.ts';
import { toConnectionOptions } from './database-connection.ts';
import { certificates, privateKey } from './pem.ts';
import { storageVariables } from './storage-variables.ts';
import { count, flag, secret, text, url, variable } from './variable.ts';

/** Splits `REDIS_URL` into its addresses: one, or several for the nodes of a cluster. */
export const splitRedisUrls = (value: string): string[] => value.split(/,(?=[a-z]+:\/\/)/);
const isRedisUrl = (value: string): boolean => /^rediss?:\/\//.test(value) && URL.canParse(value);
const redisUrls = z.string().refine((value) => splitRedisUrls(value).every(isRedisUrl), {
  message: 'must be a URL starting with redis:// or rediss://, or several separated by commas',
});

const isSecretKey = (value: string): boolean => {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === value;
};

const secretKeys = z
  .string()
  .default('')
  .transform((value) => value.split(/[,\n]/).flatMap((key) => (key.trim() === '' ? [] : [key.trim()])))
  .pipe(z.array(z.string().refine(isSecretKey, 'must be 32 bytes in base64, or several such keys')).max(10));

const isHostOrRange = (entry: string): boolean => !entry.includes('/') || ipaddr.isValidCIDR(entry);
const hostList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])))
  .pipe(z.array(z.string().refine(isHostOrRange, 'must be hosts, addresses or CIDR ranges')));

const databaseUrl = url('postgres:', 'postgresql:').superRefine((value, context) => {
  if (!URL.canParse(value)) return;
  try {
    toConnectionOptions(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is invalid' });
  }
});

/** Variables of every process, including the admin command. */
export const databaseVariables = {
  DATABASE_URL: secret(
    databaseUrl,
    'URL',
    'PostgreSQL 14 or newer. For TLS: `sslmode=verify-full`, `sslrootcert`, `sslcert` and `sslkey`.',
  ),
  DATABASE_POOL_SIZE: variable(count(10, 1, 500), 'connections', 'Maximum number of connections of each process.'),
  DATABASE_TIMEOUT_MS: variable(
    count(4_000, 100),
    'ms',
    'Time limit for connecting, for acquiring a pooled connection, and for each statement.',
  ),
  DATABASE_PREPARED_STATEMENTS: variable(
    z
      .enum(['true', 'false'])
      .default('true')
      .transform((value) => value === 'true'),
    'true, false',
    'Set to `false` behind PgBouncer older than 1.21 in transaction mode, which does not keep prepared statements.',
  ),
};

/** Variables of the API and the workers. */
export const commonVariables = {
  ...databaseVariables,
  REDIS_URL: secret(
    redisUrls,
    'URL',
    'Redis 6.2 or newer with `maxmemory-policy noeviction`; for a cluster, one node or several separated by commas.',
  ),
  REDIS_CLUSTER: variable(flag, 'true, false', 'Set to `true` when `REDIS_URL` names nodes of a Redis Cluster.'),
  REDIS_CA: secret(
    certificates,
    'PEM',
    'Authorities to trust for the certificate of Redis (`rediss://`), instead of the public ones.',
  ),
  REDIS_CERT: secret(certificates, 'PEM', 'Client certificate for Redis, with its chain.'),
  REDIS_KEY: secret(privateKey, 'PEM', 'Private key of `REDIS_CERT`.'),
  QUEUE_PREFIX: variable(
    z
      .string()
      .regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
      .default('docmill'),
    'text',
    'Prefix of every Redis key; services with different prefixes can share a server.',
  ),
  ...storageVariables,
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'level',
    'Least severe level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    'URL',
    'An OpenTelemetry collector (OTLP/HTTP) for spans and log lines; without it neither its SDK nor its exporters are loaded.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    text.optional(),
    'list',
    'Headers for the collector, such as a token: `name=value` pairs separated by commas, percent-encoded.',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z.coerce.number().min(0).max(1).default(1),
    'ratio',
    'Share of traces that are recorded, 0 to 1. If the client sends a `traceparent`, its flag decides instead.',
  ),
  METRICS_HOST: variable(
    text.default('127.0.0.1'),
    'address',
    'Address that serves `/metrics`, `/healthz` and `/readyz`.',
  ),
  METRICS_PORT: variable(count(0, 0, 65_535), 'port', 'Port of `METRICS_HOST`; 0 selects a free one and logs it.'),
  RESULT_TTL_SECONDS: variable(count(86_400, 60), 's', 'How long stored documents and idempotency keys are kept.'),
  DOCUMENT_DEADLINE_SECONDS: variable(
    count(3_600, 60),
    's',
    'Time limit for producing a document; after it the document fails and its quota is released.',
  ),
  WAIT_LIMIT_MS: variable(
    count(60_000, 1_000, 3_600_000),
    'ms',
    'How long a request waits for its document before it gets 504.',
  ),
  WAITING_DATA_MB: variable(
    count(160, 128),
    'MB',
    'Maximum size of the data, uploads and results of all accounts in Redis. Requests that would exceed it get 503, unless their account has little there.',
  ),
  WAITING_DATA_MB_PER_ACCOUNT: variable(
    count(64, 64),
    'MB',
    'The same limit for one account, whose requests get 429. An account never gets more than it leaves free of `WAITING_DATA_MB`.',
  ),
  DIRECT_PDF: variable(
    z.enum(['on', 'off']).default('on'),
    'on, off',
    '`on` lays out PDFs without LibreOffice for templates whose pages have been proven to be identical. `off` leaves all of them to LibreOffice.',
  ),
  ...brandName,
  SHUTDOWN_TIMEOUT_MS: variable(
    count(30_000, 1_000),
    'ms',
    'How long requests and jobs in progress may take to finish after SIGTERM.',
  ),
  WEBHOOK_ALLOW_HTTP: variable(flag, 'true, false', 'Set to `true` to also accept `http://` URLs for webhooks.'),
  WEBHOOK_ALLOW_PRIVATE: variable(
    hostList,
    'list',
    'Private hosts, addresses and CIDR ranges that webhooks may reach, separated by commas.',
  ),
  WEBHOOK_SECRET_KEY: secret(
    secretKeys,
    'base64',
    '32 bytes that encrypt signing secrets in the database; without it they are stored in clear text. Several keys are separated by commas or line ends: the first encrypts, all decrypt.',
  ),
};
