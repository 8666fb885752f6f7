import { z } from 'zod';
import { adminVariables } from './admin-variables.ts';
import { apiVariables } from './api-variables.ts';
import { checkTls } from './check-tls.ts';
import { commonVariables, databaseVariables, splitRedisUrls } from './common-variables.ts';
import { countEngines, type EngineCounts } from './engine-counts.ts';
import { type MachineSize, readMachineSize } from './machine-size.ts';
import { readSecretFile } from './read-secret-file.ts';
import { retentionVariables } from './retention-variables.ts';
import { checkCredentials, storageVariables } from './storage-variables.ts';
import { isSecretVariable, type Variables } from './variable.ts';
import { workerVariables } from './worker-variables.ts';

/** The variables, grouped by process, for the reference page. */
export const variableGroups: readonly { readonly title: string; readonly variables: Variables }[] = [
  { title: 'API and workers', variables: commonVariables },
  { title: 'API', variables: apiVariables },
  { title: 'Workers', variables: workerVariables },
  { title: 'Retention', variables: retentionVariables },
  { title: "The operator's commands", variables: adminVariables },
];

const hasOneServer = (config: { readonly REDIS_URL: string; readonly REDIS_CLUSTER: boolean }): boolean =>
  config.REDIS_CLUSTER || splitRedisUrls(config.REDIS_URL).length === 1;
const tooManyServers = { path: ['REDIS_URL'], message: 'names several servers, which requires REDIS_CLUSTER=true' };

const adminSchema = z.object(databaseVariables);
const actorSchema = z.object(adminVariables).pick({ DOCMILL_ACTOR: true });
const remoteSchema = z.object(adminVariables).pick({ DOCMILL_URL: true, DOCMILL_OPERATOR_KEY: true });
const officeSchema = z.object(workerVariables).pick({
  OFFICE_PATH: true,
  OFFICE_PYTHON_PATH: true,
  OFFICE_JAIL: true,
  OFFICE_TEMP_DIR: true,
  OFFICE_MEMORY_LIMIT_MB: true,
  OFFICE_START_TIMEOUT_MS: true,
});
const orphanSchema = z.object(workerVariables).pick({ ORPHAN_AGE_SECONDS: true });
const sealingSchema = z.object({ WEBHOOK_SECRET_KEY: commonVariables.WEBHOOK_SECRET_KEY });
const directPdfSchema = z.object({ DIRECT_PDF: commonVariables.DIRECT_PDF });
const { REDIS_URL, REDIS_CLUSTER, REDIS_CA, REDIS_CERT, REDIS_KEY, QUEUE_PREFIX } = commonVariables;
const redisSchema = z
  .object({ REDIS_URL, REDIS_CLUSTER, REDIS_CA, REDIS_CERT, REDIS_KEY, QUEUE_PREFIX })
  .refine(hasOneServer, tooManyServers)
  .superRefine(checkTls);
const { QUEUE_DEPTH_LIMIT } = apiVariables;
const { BATCH_WINDOW_MB } = workerVariables;
const memorySchema = z.object({
  WAITING_DATA_MB: commonVariables.WAITING_DATA_MB,
  BATCH_WINDOW_MB,
  QUEUE_DEPTH_LIMIT,
});
const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS } = commonVariables;
const telemetrySchema = z.object({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS });
const { SMTP_URL, SMTP_CA } = workerVariables;
const mailSchema = z.object({ SMTP_URL, SMTP_CA }).superRefine(checkTls);
const storageSchema = z.object(storageVariables).superRefine(checkTls).superRefine(checkCredentials);
const apiSchema = z
  .object({ ...commonVariables, ...apiVariables })
  .refine(hasOneServer, tooManyServers)
  .superRefine(checkTls)
  .superRefine(checkCredentials);
const storesSchema = z
  .object(commonVariables)
  .refine(hasOneServer, tooManyServers)
  .superRefine(checkTls)
  .superRefine(checkCredentials);
const hasMailServer = (config: { readonly WORKER_QUEUES: readonly string[]; readonly SMTP_URL?: string | undefined }) =>
  config.SMTP_URL !== undefined || !config.WORKER_QUEUES.includes('mail');
const workerSchema = z
  .object({ ...commonVariables, ...workerVariables, ...retentionVariables })
  .refine(hasOneServer, tooManyServers)
  .refine(hasMailServer, { path: ['SMTP_URL'], message: 'is not set' })
  .superRefine(checkTls)
  .superRefine(checkCredentials);

export type AdminConfig = z.infer<typeof adminSchema>;
export type StorageConfig = z.infer<typeof storageSchema>;
export type ApiConfig = z.infer<typeof apiSchema>;
export type WorkerConfig = Omit<z.infer<typeof workerSchema>, keyof EngineCounts | 'MAIL_FROM'> &
  EngineCounts & { readonly MAIL_FROM: string };
export type CommonConfig = Pick<ApiConfig, keyof typeof commonVariables>;

type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {}

/**
 * Each `load*` reads the environment and the secret files that it names. Throws a `ConfigError` that names every
 * invalid variable, but never its value.
 */
export const loadAdminConfig = (environment: Environment = process.env): AdminConfig => load(adminSchema, environment);
/** Loads the name of the operator who runs a command. */
export const loadActorConfig = (environment: Environment = process.env): z.infer<typeof actorSchema> =>
  load(actorSchema, environment);
/** The admin API that commands use instead of the database. */
export const loadRemoteConfig = (environment: Environment = process.env): z.infer<typeof remoteSchema> =>
  load(remoteSchema, environment);
/** What a worker needs to start LibreOffice. */
export const loadOfficeConfig = (environment: Environment = process.env): z.infer<typeof officeSchema> =>
  load(officeSchema, environment);
/** The age from which an object without a row counts as orphaned. */
export const loadOrphanConfig = (environment: Environment = process.env): z.infer<typeof orphanSchema> =>
  load(orphanSchema, environment);
export const loadStorageConfig = (environment: Environment = process.env): StorageConfig =>
  load(storageSchema, environment);
export const loadRedisConfig = (environment: Environment = process.env): z.infer<typeof redisSchema> =>
  load(redisSchema, environment);
/** The limits on what may wait in Redis. */
export const loadMemoryConfig = (environment: Environment = process.env): z.infer<typeof memorySchema> =>
  load(memorySchema, environment);
/** Like `loadRedisConfig`, but undefined if no Redis address is set. */
export const findRedisConfig = (environment: Environment = process.env): z.infer<typeof redisSchema> | undefined =>
  environment.REDIS_URL || environment.REDIS_URL_FILE ? load(redisSchema, environment) : undefined;
/** Where traces are exported. */
export const loadTelemetryConfig = (environment: Environment = process.env): z.infer<typeof telemetrySchema> =>
  load(telemetrySchema, environment);
/** The mail server; undefined if e-mail is not configured. */
export const loadMailConfig = (environment: Environment = process.env): z.infer<typeof mailSchema> =>
  load(mailSchema, environment);
/** Whether direct layout is turned on. */
export const loadDirectPdf = (environment: Environment = process.env): ApiConfig['DIRECT_PDF'] =>
  load(directPdfSchema, environment).DIRECT_PDF;
/** The keys that seal webhook secrets. */
export const loadSealingKeys = (environment: Environment = process.env): readonly string[] =>
  load(sealingSchema, environment).WEBHOOK_SECRET_KEY;
/** Connections to the stores outside the database. */
export const loadStoresConfig = (environment: Environment = process.env): z.infer<typeof storesSchema> =>
  load(storesSchema, environment);
export const loadApiConfig = (environment: Environment = process.env): ApiConfig => load(apiSchema, environment);
export function loadWorkerConfig(
  environment: Environment = process.env,
  machine: MachineSize = readMachineSize(),
): WorkerConfig {
  const config = load(workerSchema, environment);
  const counts = countEngines(machine, config.WORKER_QUEUES, config.DIRECT_PDF);
  return {
    ...config,
    RENDER_PROCESSES: config.RENDER_PROCESSES ?? counts.RENDER_PROCESSES,
    OFFICE_SLOTS: config.OFFICE_SLOTS ?? counts.OFFICE_SLOTS,
    BATCH_RENDER_PROCESSES: config.BATCH_RENDER_PROCESSES ?? counts.BATCH_RENDER_PROCESSES,
    BATCH_OFFICE_SLOTS: config.BATCH_OFFICE_SLOTS ?? counts.BATCH_OFFICE_SLOTS,
    MAIL_FROM: config.MAIL_FROM ?? defaultSender(config.BRAND_NAME),
  };
}

/** A quoted name may contain every character of addresses, such as a comma (RFC 5322, 3.2.4). */
function defaultSender(name = 'Docmill'): string {
  return `"${name.replaceAll(/["\\]/g, '\\$&')}" <documents@localhost>`;
}

function load<T extends z.ZodObject>(schema: T, environment: Environment): z.infer<T> {
  const set = new Map(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const { values, paths, problems } = readSecretFiles(schema.shape, set);
  const result = schema.safeParse(Object.fromEntries([...set, ...values]));
  if (result.success && problems.size === 0) return result.data;
  const lines = (result.error?.issues ?? []).flatMap((issue) => {
    const name = String(issue.path[0]);
    if (problems.has(name)) return [];
    const path = paths.get(name);
    const isSet = set.has(name) || path !== undefined;
    return [`${name}${path === undefined ? '' : ` (from ${path})`}: ${isSet ? issue.message : 'is not set'}`];
  });
  throw new ConfigError(`The configuration is invalid. ${[...problems.values(), ...lines].join('; ')}`);
}

interface SecretFiles {
  readonly values: ReadonlyMap<string, string>;
  readonly paths: ReadonlyMap<string, string>;
  /** Keyed by variable name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The values of secrets whose `<NAME>_FILE` variable is set. */
function readSecretFiles(variables: Variables, set: ReadonlyMap<string, string | undefined>): SecretFiles {
  const values = new Map<string, string>();
  const paths = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const [name, schema] of Object.entries(variables)) {
    const path = set.get(`${name}_FILE`);
    if (path === undefined || !isSecretVariable(schema)) continue;
    if (set.has(name)) {
      problems.set(name, `${name} and ${name}_FILE are both set: unset one`);
      continue;
    }
    const read = readSecretFile(path);
    if ('problem' in read) problems.set(name, `${name}_FILE: ${path} ${read.problem}`);
    else values.set(name, read.value);
    paths.set(name, path);
  }
  return { values, paths, problems };
}
