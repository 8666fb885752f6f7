import { gunzipSync } from 'node:zlib';
import { emfRecords, isEmf } from './emf-records.ts';
import { MetafileDamaged } from './metafile-record.ts';
import { isWmf, wmfRecords } from './wmf-records.ts';

/**
 * Above these limits, LibreOffice takes tens of seconds or a gigabyte to draw a picture. Word writes a few thousand
 * records.
 */
const limits = {
  records: 200_000,
  shapes: 20_000,
  clips: 1_000,
  points: 500_000,
  pixels: 50_000_000,
  depth: 2,
} as const;

/**
 * The unpacked bytes of a Windows metafile (EMF or WMF, possibly gzipped) under any name. Undefined for other content.
 */
export function metafileContent(head: Buffer, readAll: () => Buffer, maxBytes: number): Buffer | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const content = gunzipSync(readAll(), { maxOutputLength: maxBytes });
    return isEmf(content) || isWmf(content) ? content : undefined;
  }
  return isEmf(head) || isWmf(head) ? readAll() : undefined;
}

/** Whether LibreOffice may take too long to draw a metafile, or its records extend beyond the file. */
export function isCostlyMetafile(file: Buffer): boolean {
  try {
    measure(file, { records: 0, shapes: 0, clips: 0, points: 0, pixels: 0 }, 0);
    return false;
  } catch (error) {
    if (error instanceof MetafileDamaged || error instanceof TooCostly) return true;
    throw error;
  }
}

class TooCostly extends Error {}

type Costs = Record<'records' | 'shapes' | 'clips' | 'points' | 'pixels', number>;

function measure(file: Buffer, costs: Costs, depth: number): void {
  if (depth > limits.depth) throw new TooCostly();
  for (const { inner, ...record } of isEmf(file) ? emfRecords(file) : wmfRecords(file)) {
    costs.records += 1;
    costs.shapes += record.shapes ?? 0;
    costs.clips += record.clips ?? 0;
    costs.points += record.points ?? 0;
    costs.pixels += record.pixels ?? 0;
    for (const name of ['records', 'shapes', 'clips', 'points', 'pixels'] as const)
      if (costs[name] > limits[name]) throw new TooCostly();
    if (inner !== undefined && (isEmf(inner) || isWmf(inner))) measure(inner, costs, depth + 1);
  }
}
