import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openAdmin } from './admin.ts';
import { type OpenFolder, serviceVariables, startBackingServices } from './backing-services.ts';
import { ensureBuilt } from './build.ts';
import { confirmDemoAccount, openDemoAccount } from './demo-account.ts';
import type { LocalOptions } from './options.ts';
import { findFreePort, isPortFree } from './ports.ts';
import { startServiceProcesses } from './service-processes.ts';

/** The JSON line printed when the stack is ready. */
export interface ReadyStack {
  readonly ready: true;
  readonly url: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly pids: Record<'stack' | 'api' | 'redis' | 'postgres' | 's3' | 'mail', number> & { workers: number[] };
  readonly env: Record<string, string>;
  readonly mailDir: string;
  readonly metricsUrls: readonly string[];
  readonly localDir: string;
  readonly logsDir: string;
}

export async function startStack(
  { context, layout }: OpenFolder,
  options: LocalOptions,
  projectFolder: string,
): Promise<ReadyStack> {
  const port = await choosePort(options.port);
  const [backing] = await Promise.all([
    startBackingServices(context),
    ensureBuilt(projectFolder, context.env, context.report, context.signal),
  ]);
  const { QUEUE_PREFIX: queuePrefix, OFFICE_TEMP_DIR: officeFolder } = context.env;
  const { OFFICE_START_TIMEOUT_MS: officeStartMs } = context.env;
  const { WEBHOOK_ALLOW_HTTP: allowHttp, WEBHOOK_ALLOW_PRIVATE: allowPrivate } = context.env;
  const shared = {
    ...serviceVariables(backing),
    QUEUE_PREFIX: queuePrefix || 'docmill',
    OFFICE_TEMP_DIR: officeFolder || scratchFolder(),
    // A laptop may be busy with other work while everything starts at once.
    OFFICE_START_TIMEOUT_MS: officeStartMs || '120000',
    // During development, webhook receivers run on this machine.
    WEBHOOK_ALLOW_HTTP: allowHttp || 'true',
    WEBHOOK_ALLOW_PRIVATE: allowPrivate || '127.0.0.0/8,::1',
    ...receiptVariables(context.env, layout.receiptKeyFile),
  };
  const admin = await openAdmin(projectFolder, backing.postgres.databaseUrl);
  await admin.run('migrate');
  context.report('the database is migrated; starting the API and the workers');
  const [service, account] = await Promise.all([
    startServiceProcesses(context, { projectFolder, port, workers: options.workers, variables: shared }),
    openDemoAccount(layout.accountFile, admin.run),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const confirmed = await confirmDemoAccount(account, url, layout.accountFile, admin.run);
  await admin.close();
  const { postgres, redis, s3, mail } = backing;
  return {
    ready: true,
    url,
    ...confirmed,
    pids: {
      stack: process.pid,
      api: pidOf(service.api),
      workers: service.workers.map(pidOf),
      redis: pidOf(redis),
      postgres: pidOf(postgres),
      s3: pidOf(s3),
      mail: pidOf(mail),
    },
    env: shared,
    mailDir: mail.mailDir,
    metricsUrls: [service.api, ...service.workers].map(({ operationsUrl }) => `${operationsUrl}/metrics`),
    localDir: layout.root,
    logsDir: layout.logs,
  };
}

/** Signs receipts with a key in this folder, unless the environment provides one. */
function receiptVariables(env: NodeJS.ProcessEnv, file: string): { readonly RECEIPT_SIGNING_KEY_FILE?: string } {
  if (env.RECEIPT_SIGNING_KEY || env.RECEIPT_SIGNING_KEY_FILE) return {};
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flush: true });
  }
  return { RECEIPT_SIGNING_KEY_FILE: file };
}

/** A folder in memory if possible, separate for each user of the machine. */
function scratchFolder(): string {
  return join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `docmill-${userInfo().uid}`);
}

async function choosePort(wanted: number): Promise<number> {
  if (wanted === 0) return await findFreePort();
  if (await isPortFree(wanted)) return wanted;
  throw new Error(
    `port ${wanted} is in use: stop the program that listens there, or choose another port, such as PORT=${wanted + 1}`,
  );
}

function pidOf({ process: { pid, spec } }: { readonly process: { pid: number | undefined; spec: { name: string } } }) {
  if (pid === undefined) throw new Error(`${spec.name} exited while the stack was starting`);
  return pid;
}
