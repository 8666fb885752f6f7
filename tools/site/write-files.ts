import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const packed = /\.(html|css|js|mjs|json|svg|md|txt)$/;

/**
 * Replaces the folder by these files and their compressed copies. Writes to a new folder and renames it, so that a
 * server never reads an incomplete site. `files.json` lists the files that may be served, with hashes.
 */
export async function writeFiles(files: ReadonlyMap<string, Buffer>, outFolder: string): Promise<void> {
  mkdirSync(dirname(outFolder), { recursive: true });
  const folder = mkdtempSync(`${outFolder}-`);
  try {
    await Promise.all([...files].map(([path, bytes]) => writeFileAndCopies(join(folder, path), bytes)));
    const list = [...files].map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('base64url')]);
    writeFileSync(join(folder, 'files.json'), JSON.stringify(Object.fromEntries(list.sort())));
    rmSync(outFolder, { recursive: true, force: true });
    renameSync(folder, outFolder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeFileAndCopies(file: string, bytes: Buffer): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  if (!packed.test(file)) return;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params: quality }));
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
