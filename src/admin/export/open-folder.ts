import { createHash } from 'node:crypto';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';

/** A file of an export, as its manifest lists it. */
export interface ExportedFile {
  readonly file: string;
  readonly rows: number;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** Appends lines, given without line ends. Calls must not overlap. Resolves when the file system has accepted them. */
export type Append = (lines: readonly string[]) => Promise<void>;

/** Only the user of this process may read exported files. */
export const fileMode = 0o600;
const folderMode = 0o700;

/** Creates the folder if it does not exist. Throws `invalid_request` when it is not empty or not a folder. */
export async function openFolder(folder: string): Promise<void> {
  const found = await mkdir(folder, { recursive: true, mode: folderMode })
    .then(() => readdir(folder))
    .catch((error: NodeJS.ErrnoException) => {
      throw new AppError(
        'invalid_request',
        `${folder} cannot be used (${error.code ?? error.message}): give a new folder`,
      );
    });
  if (found.length > 0) throw new AppError('invalid_request', `${folder} is not empty: give a new or an empty folder`);
}

/**
 * Writes `<kind>.ndjson` and flushes it to the disk. Fails when the file exists, for example because another export
 * runs at the same time.
 */
export async function writeNdjson(
  folder: string,
  kind: string,
  work: (append: Append) => Promise<void>,
): Promise<ExportedFile> {
  const file = `${kind}.ndjson`;
  const handle = await open(join(folder, file), 'wx', fileMode);
  const hash = createHash('sha256');
  let [rows, sizeBytes] = [0, 0];
  try {
    await work(async (lines) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      hash.update(bytes);
      rows += lines.length;
      sizeBytes += bytes.length;
      await handle.writeFile(bytes);
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { file, rows, sizeBytes, sha256: hash.digest('hex') };
}
