import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Layout } from './folder-layout.ts';
import { makeLayout } from './folder-layout.ts';
import { lockFolder } from './folder-lock.ts';
import { ProcessTable, stopLeftovers } from './processes/process-table.ts';
import type { Report } from './report.ts';
import { type Mail, startMail } from './services/mail.ts';
import { type Postgres, startPostgres } from './services/postgres.ts';
import { type Redis, startRedis } from './services/redis.ts';
import { type S3, startS3 } from './services/s3.ts';
import type { ServiceContext } from './services/service.ts';
import { readStateFile } from './state-file.ts';

const secretsSchema = z.object({ postgresPassword: z.string().min(1) });
const longLogBytes = 20 * 1024 * 1024;

export interface BackingServices {
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly s3: S3;
  readonly mail: Mail;
}

export interface OpenFolder {
  readonly context: ServiceContext;
  readonly layout: Layout;
  /** Stops everything that was started in this folder and unlocks it. */
  readonly close: () => Promise<void>;
}

/** Locks a folder for this process and stops processes left running by a killed stack. */
export async function openFolder(folder: string, env: NodeJS.ProcessEnv, report: Report): Promise<OpenFolder> {
  const layout = makeLayout(folder);
  const unlock = lockFolder(layout.root, layout.lockFile);
  await stopLeftovers(layout.pidsFile, report);
  rotateLogs(layout.logs);
  const aborted = new AbortController();
  const table = new ProcessTable(layout.pidsFile, report);
  const close = async (): Promise<void> => {
    aborted.abort();
    await table.stopAll();
    unlock();
  };
  return { context: { layout, env, report, table, signal: aborted.signal }, layout, close };
}

export async function startBackingServices(context: ServiceContext): Promise<BackingServices> {
  const { postgresPassword } = readOrCreateSecrets(context.layout.secretsFile);
  const reported = async <T extends { readonly port: number }>(name: string, starting: Promise<T>): Promise<T> => {
    const service = await starting;
    context.report(`${name} is up on port ${service.port}`);
    return service;
  };
  const [postgres, redis, s3, mail] = await Promise.all([
    reported('PostgreSQL', startPostgres(context, postgresPassword)),
    reported('Redis', startRedis(context)),
    reported('the S3 server', startS3(context)),
    reported('the mail catcher', startMail(context)),
  ]);
  return { postgres, redis, s3, mail };
}

/** The environment variables through which the API and the workers reach these services. */
export function serviceVariables({ postgres, redis, s3, mail }: BackingServices): Record<string, string> {
  return {
    DATABASE_URL: postgres.databaseUrl,
    REDIS_URL: redis.redisUrl,
    S3_ENDPOINT: s3.access.endpoint,
    S3_REGION: s3.access.region,
    S3_BUCKET: s3.access.bucket,
    S3_ACCESS_KEY_ID: s3.access.accessKey,
    S3_SECRET_ACCESS_KEY: s3.access.secretKey,
    SMTP_URL: mail.smtpUrl,
  };
}

/** Renames each long log, replacing the previous one. */
function rotateLogs(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > longLogBytes) renameSync(file, `${file}.1`);
  }
}

/** Created only once, because the PostgreSQL cluster keeps its initial password. */
function readOrCreateSecrets(file: string): z.infer<typeof secretsSchema> {
  const known = readStateFile(file, secretsSchema);
  if (known !== undefined) return known;
  if (existsSync(file)) throw new Error(`${file} cannot be read: remove its folder to start again`);
  const secrets = { postgresPassword: randomBytes(18).toString('base64url') };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flush: true });
  return secrets;
}
