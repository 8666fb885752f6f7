import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../../src/shared/db/client.ts';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { findFreePort } from '../../../tools/local/ports.ts';
import { findPostgresPrograms } from '../../../tools/local/services/postgres-programs.ts';
import { findUnprivilegedUser, launchAs } from '../../../tools/local/services/unprivileged.ts';
import { startFaultProxy } from '../../support/faults/fault-proxy.ts';
import type { Backing } from './backing.ts';
import { until } from './until.ts';

/** What is on the small disk: the tables, or the write-ahead log. The other is on the disk of the machine. */
export type SmallDiskUse = 'tables' | 'log';

export interface SmallDiskBacking extends Backing {
  /** Fills the disk to the last byte; again, when PostgreSQL has made room meanwhile. */
  fill(): void;
  /** Removes what `fill` wrote. */
  free(): void;
}

const diskMegabytes = { tables: 100, log: 96 } as const;
const role = 'docmill';

/**
 * The servers of `backing` with another PostgreSQL, which has a small disk of its own and is restarted whenever it
 * ends, as by an init system. The disk is a tmpfs in a mount namespace. Throws where this user may not mount one.
 */
export async function onSmallDisk(backing: Backing, use: SmallDiskUse): Promise<SmallDiskBacking> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-small-disk-'));
  const disk = await mountDisk(join(folder, 'disk'), diskMegabytes[use]);
  const port = await findFreePort();
  const server = await createServer({ folder, disk, use, port });
  const url = `postgresql://${role}@127.0.0.1:${port}`;
  const migrated = new pg.Pool({ connectionString: `${url}/postgres`, max: 1 });
  migrated.on('error', () => undefined);
  await until(
    'PostgreSQL of the small disk answers',
    async () => (await migrated.query('select 1')).rowCount === 1,
    60_000,
  );
  await migrated.query(`create database ${role}`);
  await migrated.end();
  await migrateDatabase(`${url}/${role}`);
  const proxy = await startFaultProxy({ port });
  const database = openDatabase(
    { url: `${url}/${role}`, poolSize: 20, timeoutMs: 20_000, applicationName: 'docmill-faults' },
    createLogger('silent', 'faults'),
  );
  const pool = new pg.Pool({ connectionString: `${url}/${role}`, max: 10 });
  pool.on('error', () => undefined);
  const ballast = join(disk.path, 'ballast');
  // A bucket belongs to one database; the API creates it.
  const bucket = `small-disk-${port}`;
  return {
    ...backing,
    s3: { ...backing.s3, objectsFolder: join(dirname(backing.s3.objectsFolder), bucket) },
    postgres: { proxy, database, pool, signal: (signal) => server.signal(signal) },
    variables: {
      ...backing.variables,
      DATABASE_URL: `postgresql://${role}@127.0.0.1:${proxy.port}/${role}`,
      S3_BUCKET: bucket,
    },
    fill: () => fillDisk(disk.path, ballast),
    free: () => rmSync(ballast, { force: true }),
    async heal() {
      rmSync(ballast, { force: true });
      await proxy.heal();
      await until(
        'PostgreSQL of the small disk answers',
        async () => (await pool.query('select 1')).rowCount === 1,
        60_000,
      );
      await backing.heal();
    },
    async close() {
      await Promise.allSettled([pool.end(), database.close()]);
      await proxy.close();
      await server.stop();
      await disk.unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Disk {
  /** Where this process sees it. */
  readonly path: string;
  /** Where programs that run `within` see it. */
  readonly innerPath: string;
  /** The command line that runs another one with the disk mounted, as root of its namespace. */
  within(command: readonly string[]): readonly string[];
  unmount(): Promise<void>;
}

/** Mounts a tmpfs in a mount namespace, which ends with the process that holds it. */
async function mountDisk(folder: string, megabytes: number): Promise<Disk> {
  mkdirSync(folder);
  const isRoot = process.getuid?.() === 0;
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=1777 tmpfs "$0" && echo mounted && exec sleep infinity`;
  const holder = spawn('unshare', [isRoot ? '-m' : '-Urm', 'sh', '-c', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let problem = '';
  holder.stderr.on('data', (text: Buffer) => {
    problem += text.toString();
  });
  const ended = once(holder, 'exit');
  const isMounted = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isMounted || holder.pid === undefined)
    throw new Error(
      `No small disk can be mounted here; run this row as root, or where users may create namespaces: ${problem}`,
    );
  const spaces = isRoot ? ['--mount'] : ['--user', '--mount', '--preserve-credentials'];
  const enter = ['nsenter', '--target', String(holder.pid), ...spaces, '--'];
  return {
    path: `/proc/${holder.pid}/root${folder}`,
    innerPath: folder,
    within: (command) => [...enter, ...command],
    async unmount() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
}

interface ServerPlan {
  readonly folder: string;
  readonly disk: Disk;
  readonly use: SmallDiskUse;
  readonly port: number;
}

interface SmallDiskServer {
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

async function createServer({ folder, disk, use, port }: ServerPlan): Promise<SmallDiskServer> {
  const { PATH: path = '' } = process.env;
  const programs = await findPostgresPrograms(folder, path);
  const outer = join(folder, 'outer');
  mkdirSync(outer);
  execFileSync('chmod', ['-R', 'a+rwX', folder]);
  const [data, log] = (use === 'tables' ? [disk.innerPath, outer] : [outer, disk.innerPath]).map((at) =>
    join(at, 'pg'),
  );
  const run = (command: string, args: readonly string[]) => disk.within(asUser(command, args, folder));
  const cluster = ['--pgdata', `${data}`, '--waldir', `${log}`, '--username', role, '--auth=trust', '--no-sync'];
  execute(run(programs.initdb, [...cluster, '--encoding=UTF8', '--locale=C', '--wal-segsize=1']));
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    dynamic_shared_memory_type: 'mmap',
    // The log grows instead of using its files again.
    min_wal_size: '2MB',
    max_wal_size: '1GB',
    checkpoint_timeout: '1h',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const command = run(programs.postgres, ['-D', `${data}`, '-p', String(port), ...options]);
  const logFile = openSync(join(folder, 'postgres.log'), 'a');
  let isStopping = false;
  let server: ChildProcess;
  const start = (): void => {
    const [file = '', ...args] = command;
    server = spawn(file, args, { stdio: ['ignore', logFile, logFile], cwd: '/' });
    server.once('exit', () => {
      if (!isStopping) setTimeout(start, 500);
    });
  };
  start();
  return {
    signal: (signal) => void server.kill(signal),
    async stop() {
      isStopping = true;
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
    },
  };
}

/** PostgreSQL does not run as root, nor as the root of a user namespace. */
function asUser(command: string, args: readonly string[], folder: string): readonly string[] {
  const user = findUnprivilegedUser();
  if (user === undefined) {
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', command, ...args];
  }
  const launch = launchAs(user, command, args, [folder]);
  const become = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];
  return [...(launch.owner === undefined ? [] : become), launch.command, ...launch.args];
}

function execute([file = '', ...args]: readonly string[]): void {
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
}

function fillDisk(path: string, ballast: string): void {
  const { bavail, bsize } = statfsSync(path);
  try {
    appendFileSync(ballast, Buffer.alloc(bavail * bsize + bsize));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
