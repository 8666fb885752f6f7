import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { BatchProgress, components, Docmill } from '@docmill/client';
import { ConnectionError } from '@docmill/client';
import { toLocalName } from '../local-name.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { writeWholeFile } from '../write-file.ts';

type Entry = components['schemas']['BatchManifestEntry'];

export interface SaveOptions {
  /** The path of the zip, the PDF or the folder. */
  readonly output: string;
  /** Whether existing files are replaced. A file that already has the right content is always kept. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
}

const concurrency = 4;
const attempts = 3;

/** Derives the bundle from the path: `.zip`, `.pdf`, or a folder for single files. */
export function bundleOf(output: string): 'zip' | 'pdf' | 'none' {
  const extension = parse(output).ext.toLowerCase();
  if (extension === '.zip') return 'zip';
  return extension === '.pdf' ? 'pdf' : 'none';
}

/**
 * Writes the bundle, or each document into a folder. Files that are already complete are not downloaded again. Returns
 * the paths.
 */
export async function saveResult(
  docmill: Docmill,
  batch: BatchProgress,
  options: SaveOptions,
): Promise<readonly string[]> {
  return batch.bundle === 'none' ? saveDocuments(docmill, batch, options) : saveBundle(docmill, batch, options);
}

async function saveBundle(docmill: Docmill, { id, files }: BatchProgress, options: SaveOptions) {
  const { output, isForced, signal } = options;
  const paths: string[] = [];
  for (const [index, { checksum }] of files.entries()) {
    const volume = index + 1;
    const { dir, name, ext } = parse(output);
    const path = index === 0 ? output : join(dir, `${name}-${volume}${ext}`);
    if (!(await hasContent(path, checksum))) {
      await repeat(async () =>
        writeWholeFile(path, await docmill.batches.stream(id, { volume }, { signal }), isForced),
      );
    }
    paths.push(path);
  }
  return paths;
}

async function saveDocuments(docmill: Docmill, { id }: BatchProgress, { output, isForced, signal }: SaveOptions) {
  const manifest = await docmill.batches.manifest(id, { signal });
  const targets = nameFiles(manifest, output);
  await mapConcurrently(targets, concurrency, async ({ path, checksum, jobId }) => {
    if (await hasContent(path, checksum)) return;
    await repeat(async () => writeWholeFile(path, await docmill.jobs.download(jobId, { signal }), isForced));
  });
  return targets.map(({ path }) => path);
}

/** The service makes names unique, but two of them may still collide on this machine. */
function nameFiles(manifest: readonly Entry[], folder: string) {
  const taken = new Set<string>();
  return manifest.flatMap(({ row, file, status, checksum, jobId }) => {
    if (status !== 'succeeded' || file === undefined) return [];
    const local = toLocalName(file);
    const name = taken.has(local.toLowerCase()) ? `${row}-${local}` : local;
    taken.add(name.toLowerCase());
    return [{ path: join(folder, name), checksum, jobId }];
  });
}

/** An interrupted download leaves no file, so it starts again. */
async function repeat(download: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await download();
    } catch (error) {
      if (attempt >= attempts || !isBroken(error)) throw error;
    }
  }
}

/** A fetch stream that ends early rejects with `TypeError: terminated`. */
function isBroken(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof TypeError && error.message === 'terminated');
}

async function hasContent(path: string, checksum: string | undefined): Promise<boolean> {
  if (checksum === undefined || !existsSync(path)) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex') === checksum;
}
