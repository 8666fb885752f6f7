import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { processIdentity, readCommandLine } from '../processes/process-identity.ts';
import { runCommand } from '../processes/run-command.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { type Service, type ServiceContext, startService } from './service.ts';
import { findUnprivilegedUser, launchAs, type User } from './unprivileged.ts';

const role = 'docmill';
const database = 'docmill';

export interface Postgres extends Service {
  readonly databaseUrl: string;
}

/** Starts PostgreSQL on a free loopback port; creates the cluster and the database on first use. */
export async function startPostgres(context: ServiceContext, password: string): Promise<Postgres> {
  const folder = context.layout.postgres;
  const { PATH: path, POSTGRES_PROGRAMS: chosen } = context.env;
  const programs = await findPostgresPrograms(folder, path, chosen);
  const user = findUnprivilegedUser();
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    context.report(`creating a PostgreSQL ${programs.majorVersion} cluster`);
    await createCluster(context, programs, user, password);
  }
  removeStaleLock(folder);
  const urlOf = (port: number, name: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${name}`;
  const service = await startService(context, {
    spec: (port) => ({
      name: 'postgres',
      ...launchAs(user, programs.postgres, serverArgs(folder, port), [folder]),
      cwd: folder,
      env: context.env,
      logFile: join(context.layout.logs, 'postgres.log'),
      stopSignal: 'SIGINT',
      graceMs: 20_000,
      stopRank: 5,
    }),
    isReady: async (port) => await ensureDatabase(urlOf(port, 'postgres')),
    timeoutMs: 120_000,
  });
  return { ...service, databaseUrl: urlOf(service.port, database) };
}

/** Creates the service's database if it is missing; returns true once the server responds. */
async function ensureDatabase(maintenanceUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: maintenanceUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${database}`);
    return true;
  } finally {
    await client.end();
  }
}

async function createCluster(
  context: ServiceContext,
  programs: PostgresPrograms,
  user: User | undefined,
  password: string,
): Promise<void> {
  const draft = `${context.layout.postgres}.new`;
  const passwordFile = `${context.layout.postgres}.password`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user !== undefined) for (const path of [draft, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    const args = ['--pgdata', draft, '--username', role, '--pwfile', passwordFile, '--auth=scram-sha-256', '--no-sync'];
    const launch = launchAs(user, programs.initdb, [...args, '--encoding=UTF8', ...localeArgs(programs)], [draft]);
    await runCommand({ ...launch, cwd: draft, env: context.env, signal: context.signal });
    renameSync(draft, context.layout.postgres);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Ensures the same collation and case rules on every system: PostgreSQL 17 and later include a UTF-8 locale. */
function localeArgs({ majorVersion }: PostgresPrograms): string[] {
  if (majorVersion >= 17) return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return process.platform === 'linux' ? ['--locale=C.UTF-8'] : ['--locale=en_US.UTF-8'];
}

function serverArgs(folder: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Each test file may hold 50, and machines with many processors run many files side by side.
    max_connections: '500',
    log_min_messages: 'warning',
    dynamic_shared_memory_type: 'mmap',
  };
  return [
    '-D',
    folder,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}

/** After a crash, the id in `postmaster.pid` may belong to another program, and PostgreSQL would refuse to start. */
function removeStaleLock(folder: string): void {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const isServer = processIdentity(pid) !== undefined && readCommandLine(pid).includes(folder);
  if (isServer) throw new Error(`a PostgreSQL server (pid ${pid}) that this stack did not start runs on ${folder}`);
  rmSync(file, { force: true });
}
