import { access, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateRowsKey } from '../../api/batches/private-rows.ts';
import { readNdjson } from '../../api/batches/sources/read-ndjson.ts';
import type { Database } from '../../shared/db/client.ts';
import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { readAccountRows } from '../../shared/domain/accounts/read-account-rows.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { thisRelease } from '../../shared/this-release.ts';
import { copyObject, fileOf, inParallel } from '../backup/copy-objects.ts';
import { type ExportedFile, fileMode, openFolder, writeNdjson } from './open-folder.ts';

const formatVersion = 1;
const referredKind = 'referred-objects';
/** The top-level folders of the store, each with one folder per account. */
const storeFolders = ['templates', 'assets', 'fonts', 'results', 'batches', 'quarantine'] as const;

export interface AccountExport {
  readonly formatVersion: number;
  readonly accountId: string;
  /** The release of this service that wrote the export. */
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly objects: number;
  readonly objectBytes: number;
  /** Objects that rows refer to but the store no longer has. */
  readonly missingObjects: number;
  readonly files: readonly ExportedFile[];
}

/**
 * Exports everything that an account has into an empty folder: a consistent snapshot of its rows by kind, then the
 * objects that still exist, then `manifest.json`, without which the export is incomplete. Writes no secrets and changes
 * nothing in the account.
 */
export async function exportAccount(
  { db, objects }: { readonly db: Database; readonly objects: ObjectStore },
  accountId: string,
  folder: string,
): Promise<AccountExport> {
  await findAccount(db, accountId);
  await openFolder(folder);
  const startedAt = new Date().toISOString();
  const files: ExportedFile[] = [];
  const referred = await writeNdjson(folder, referredKind, (appendKeys) =>
    readAccountRows(db, accountId, async ({ kind, pages, objectKeysOf }) => {
      const file = await writeNdjson(folder, kind, async (append) => {
        for await (const lines of pages) {
          await append(lines);
          await appendKeys(lines.flatMap(objectKeysOf).map((key) => JSON.stringify({ kind, key })));
        }
      });
      files.push(file);
    }),
  );
  let objectBytes = 0;
  const copied = await writeNdjson(folder, 'objects', async (append) => {
    for (const storeFolder of storeFolders)
      for await (const page of objects.list(`${storeFolder}/${accountId}/`)) {
        const lines: string[] = [];
        await inParallel(page, async ({ key }) => {
          const isPrivate = key.endsWith(privateRowsKey(''));
          const object = await copyObject(objects, folder, key, isPrivate ? withoutPasswords : undefined);
          if (object === undefined) return;
          objectBytes += object.sizeBytes;
          lines.push(JSON.stringify(object));
        });
        await append(lines);
      }
  });
  const missing = await listMissing(folder);
  files.push(referred, copied, missing);
  const result: AccountExport = {
    formatVersion,
    accountId,
    version: thisRelease.version,
    startedAt,
    finishedAt: new Date().toISOString(),
    objects: copied.rows,
    objectBytes,
    missingObjects: missing.rows,
    files,
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(result, null, 2)}\n`, {
    mode: fileMode,
    flag: 'wx',
    flush: true,
  });
  return result;
}

/** The private rows of a batch with their e-mails, but without passwords. */
async function* withoutPasswords(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const line of readNdjson(stored).rows) {
    if ('problem' in line) throw new Error('a stored row is damaged');
    const { row, email } = line.value as { readonly row: number; readonly email: unknown };
    yield Buffer.from(`${JSON.stringify({ row, email })}\n`);
  }
}

/** Lists the objects that rows refer to but the export lacks, because they were removed meanwhile or lost earlier. */
function listMissing(folder: string): Promise<ExportedFile> {
  return writeNdjson(folder, 'missing-objects', async (append) => {
    const referred = await open(join(folder, `${referredKind}.ndjson`));
    for await (const line of referred.readLines()) {
      const { key } = JSON.parse(line) as { readonly key: string };
      const isThere = await access(fileOf(folder, key)).then(
        () => true,
        () => false,
      );
      if (!isThere) await append([line]);
    }
  });
}
