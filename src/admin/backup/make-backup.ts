import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../../shared/db/client.ts';
import { canHaveId, readInstallation } from '../../shared/domain/installation.ts';
import { AppError } from '../../shared/errors.ts';
import { readBucketState, readOwner } from '../../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { thisRelease } from '../../shared/this-release.ts';
import { copyObjects } from './copy-objects.ts';
import type { BackupSummary } from './read-backup.ts';
import { runPostgresTool } from './run-postgres-tool.ts';

export interface BackupRequest {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly objects: ObjectStore;
  /** Must not exist yet. It is created only once the backup is complete. */
  readonly folder: string;
}

/**
 * Writes the database and all objects to a folder while the service runs. Objects are copied before the dump, in case
 * objects that it refers to are removed meanwhile, and again after it, to include new ones.
 */
export async function makeBackup({ db, databaseUrl, objects, folder }: BackupRequest): Promise<BackupSummary> {
  const startedAt = new Date();
  if (await exists(folder)) throw new AppError('invalid_request', `${folder} already exists: give a new folder`);
  const installationId = await requireOwnBucket(db, objects);
  // Detects a missing or outdated program and a wrong password before anything is copied.
  await runPostgresTool('pg_dump', ['--schema-only', '--file=/dev/null'], databaseUrl);
  const draft = `${folder}.partial`;
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(draft, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new AppError('invalid_request', `${draft} is left over from an unfinished backup: remove it`);
  });
  await copyObjects(objects, draft);
  const dump = join(draft, 'database.dump');
  const dumpedAt = new Date();
  await runPostgresTool('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${dump}`], databaseUrl);
  const copied = await copyObjects(objects, draft);
  const summary: BackupSummary = {
    version: thisRelease.version,
    installationId,
    startedAt: startedAt.toISOString(),
    databaseAt: dumpedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    databaseBytes: (await stat(dump)).size,
    databaseSha256: await checksumOf(dump),
    objects: copied.length,
    objectBytes: copied.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  await writeFile(join(draft, 'backup.json'), `${JSON.stringify(summary)}\n`, { flush: true });
  for (const path of [dump, join(draft, 'objects.ndjson'), draft]) await flush(path);
  await rename(draft, folder);
  await flush(dirname(folder));
  return summary;
}

/**
 * Rejects a bucket of another database, because the backup would look complete but be useless. Returns the id of the
 * database, or undefined before the migration that assigns one: an upgrade makes its backup before it migrates.
 */
async function requireOwnBucket(db: Database, objects: ObjectStore): Promise<string | undefined> {
  if (!(await canHaveId(db))) {
    const owner = await readOwner(objects);
    if (owner === undefined) return undefined;
    throw new AppError('conflict', `No backup was made: the bucket belongs to another database (${owner})`);
  }
  const state = await readBucketState(db, objects);
  if (state.kind === 'foreign') throw new AppError('conflict', `No backup was made: ${state.problem}`);
  return (await readInstallation(db)).id;
}

/** Writes the metrics of a successful backup for the textfile collector of node_exporter, atomically. */
export async function writeBackupMetrics(file: string, summary: BackupSummary): Promise<void> {
  const finishedMs = Date.parse(summary.finishedAt);
  const seconds = (finishedMs - Date.parse(summary.startedAt)) / 1_000;
  const gauges = {
    docmill_backup_last_success_timestamp_seconds: [
      'When the last complete backup ended; Unix time.',
      finishedMs / 1_000,
    ],
    docmill_backup_duration_seconds: ['How long it took.', seconds],
    docmill_backup_size_bytes: ['Its size.', summary.databaseBytes + summary.objectBytes],
    docmill_backup_objects: ['The number of objects in it.', summary.objects],
  } as const;
  const text = Object.entries(gauges)
    .map(([name, [help, value]]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
  // The collector reads only files that end in .prom, so it never sees a partial file.
  await writeFile(`${file}.new`, text, { flush: true, mode: 0o644 });
  await rename(`${file}.new`, file);
}

export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The path is missing when there are no objects. */
async function flush(path: string): Promise<void> {
  if (!(await exists(path))) return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
