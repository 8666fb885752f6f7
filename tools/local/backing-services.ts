import type { Layout } from './folder-layout.ts';
import { makeLayout } from './folder-layout.ts';
import { lockFolder } from './folder-lock.ts';
import { stopLeftovers } from './processes/leftovers.ts';
import { ProcessTable } from './processes/process-table.ts';
import type { Report } from './report.ts';
import { rotateLogs } from './rotate-logs.ts';
import { keepSecrets } from './secrets.ts';
import { type Mail, startMail } from './services/mail.ts';
import { type Postgres, startPostgres } from './services/postgres.ts';
import { type Redis, startRedis } from './services/redis.ts';
import { type S3, startS3 } from './services/s3.ts';
import type { ServiceContext } from './services/service.ts';

export interface BackingServices {
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly s3: S3;
  readonly mail: Mail;
}

export interface OpenFolder {
  readonly context: ServiceContext;
  readonly layout: Layout;
  /** Stops everything that was started in this folder and frees it for the next. */
  readonly close: () => Promise<void>;
}

/** Takes a folder for this process alone and clears away what a killed predecessor left running in it. */
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
  const { postgresPassword } = keepSecrets(context.layout.secretsFile);
  const told = async <T extends { readonly port: number }>(name: string, starting: Promise<T>): Promise<T> => {
    const service = await starting;
    context.report(`${name} is up on port ${service.port}`);
    return service;
  };
  const [postgres, redis, s3, mail] = await Promise.all([
    told('PostgreSQL', startPostgres(context, postgresPassword)),
    told('Redis', startRedis(context)),
    told('the S3 server', startS3(context)),
    told('the mail catcher', startMail(context)),
  ]);
  return { postgres, redis, s3, mail };
}

/** What the service's processes read from their environment to find these. */
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
