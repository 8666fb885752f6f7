import { chmod, copyFile, lstat, mkdir, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomText } from '../../../shared/ids.ts';
import type { Logger } from '../../../shared/logger.ts';
import { fontSettings, fontSettingsFile } from './font-settings.ts';
import { markerName } from './jail/jail-kinds.ts';
import { killByMarker, startTicksOf } from './process-group.ts';
import type { OfficePrograms } from './programs.ts';
import { makeTraversable } from './slot-folder.ts';

const agentFiles = [
  'agent.py',
  'confine.py',
  'dates.py',
  'deciding_columns.py',
  'decimal_tabs.py',
  'documents.py',
  'fields.py',
  'index_entries.py',
  'index_format.py',
  'indexes.py',
  'long_tables.py',
  'marks.py',
  'page_ends.py',
  'registrymodifications.xcu',
  'table_layout.py',
  'table_lead.py',
  'table_parts.py',
  'table_styles.py',
  'word_body.py',
  'word_package.py',
];
const heartbeatMs = 60_000;
/** A pool folder of another container is abandoned after this time without a heartbeat. */
const abandonedAfterMs = 15 * heartbeatMs;

/** The process that created a pool folder. Part of the folder's name, so that no folder exists without it. */
interface PoolOwner {
  readonly pid: number;
  readonly startTicks: string;
  readonly pidNamespace: string;
}

/** A folder of this process, which `sweepDeadPools` of another one removes after a crash. */
export interface OwnedFolder {
  readonly name: string;
  readonly path: string;
  remove(): Promise<void>;
}

export interface PoolFolder extends OwnedFolder {
  readonly agentDir: string;
}

/** Creates this pool's private folder, with the agent's files, under the shared folder of all pools. */
export async function openPoolFolder(
  tempDir: string,
  programs: Pick<OfficePrograms, 'drawsPictureFonts'>,
): Promise<PoolFolder> {
  const folder = await openOwnedFolder(tempDir);
  const agentDir = join(folder.path, 'agent');
  await mkdir(agentDir);
  // LibreOffice's user may have no access to the service's own folder.
  for (const file of agentFiles) await copyReadable(file, agentDir);
  await writeReadable(join(agentDir, fontSettingsFile), fontSettings(programs));
  await chmod(agentDir, 0o755);
  return { ...folder, agentDir };
}

/** Creates a private folder under the shared folder of all pools. */
export async function openOwnedFolder(tempDir: string): Promise<OwnedFolder> {
  await openSharedFolder(tempDir);
  const owner = await ownIdentity();
  const name = `pool-${owner.pid}-${owner.startTicks}-${owner.pidNamespace}-${randomText(10)}`;
  const path = join(tempDir, name);
  await makeTraversable(path);
  const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), heartbeatMs);
  heartbeat.unref();
  return {
    name,
    path,
    remove: async () => {
      clearInterval(heartbeat);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Parses the owner from the folder's name; undefined if it is not a pool folder. */
function ownerOf(name: string): PoolOwner | undefined {
  const match = /^pool-(\d+)-(\d+)-(\d+)-[0-9a-z]{10}$/.exec(name);
  const [, pid, startTicks, pidNamespace] = match ?? [];
  if (pid === undefined || startTicks === undefined || pidNamespace === undefined) return undefined;
  return { pid: Number(pid), startTicks, pidNamespace };
}

async function ownIdentity(): Promise<PoolOwner> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return {
    pid: process.pid,
    startTicks: (await startTicksOf(process.pid)) ?? '0',
    pidNamespace: /\d+/.exec(link)?.[0] ?? '0',
  };
}

async function openSharedFolder(tempDir: string): Promise<void> {
  const created = await mkdir(tempDir, { recursive: true });
  if (created !== undefined) await chmod(tempDir, 0o711);
  const entry = await lstat(tempDir);
  const uid = process.getuid?.() ?? entry.uid;
  const isSticky = entry.uid === 0 && (entry.mode & 0o1000) !== 0;
  // In a folder such as /dev/shm another user may have created this name first.
  if (!entry.isDirectory() || (entry.uid !== uid && !isSticky)) {
    throw new Error(
      `The folder for temporary files belongs to another user: set OFFICE_TEMP_DIR to a folder owned by uid ${uid}.`,
    );
  }
}

async function copyReadable(file: string, folder: string): Promise<void> {
  const target = join(folder, file);
  await copyFile(fileURLToPath(new URL(`./agent/${file}`, import.meta.url)), target);
  await chmod(target, 0o644);
}

async function writeReadable(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o644);
}

/** Cleans up after crashed pools under the shared folder: kills their processes, then removes their files. */
export async function sweepDeadPools(tempDir: string, logger: Logger): Promise<void> {
  const self = await ownIdentity();
  for (const name of await readdir(tempDir).catch(() => [])) {
    const owner = ownerOf(name);
    if (owner === undefined || !(await isDead(owner, self, join(tempDir, name)))) continue;
    try {
      const killed = await killByMarker(`${markerName}=${name}/`);
      await rm(join(tempDir, name), { recursive: true, force: true, maxRetries: 3 });
      logger.info({ pool: name, killed }, 'removed the remains of a crashed LibreOffice pool');
    } catch (error) {
      logger.warn({ err: error, pool: name }, 'could not remove the remains of a crashed LibreOffice pool');
    }
  }
}

async function isDead(owner: PoolOwner, self: PoolOwner, path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory() || entry.uid !== process.getuid?.()) return false;
  if (owner.pidNamespace === self.pidNamespace && process.platform === 'linux') {
    return (await startTicksOf(owner.pid)) !== owner.startTicks;
  }
  return Date.now() - entry.mtimeMs > abandonedAfterMs;
}
