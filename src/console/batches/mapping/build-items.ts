import { FileError } from '../file/file-error.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { fileLimits } from '../file/limits.ts';
import { readRows } from '../file/read-rows.ts';
import { type BadCell, buildRow } from './build-row.ts';
import type { RowPlan } from './row-plan.ts';

const flushedLength = 1_000_000;
/** The service accepts a compression ratio of 200 for any body larger than this. */
const mostTimes = 150;
const anyTimesBytes = 32 * 1024 * 1024;

interface BuildOptions {
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * The list of a batch request, compressed unless its ratio would make the service refuse it as a decompression bomb.
 */
export interface BuiltItems {
  readonly items: Blob;
  readonly encoding: 'gzip' | undefined;
  /** The first cells without a value; the service refuses only their rows. */
  readonly badCells: readonly PlacedCell[];
  readonly badCellCount: number;
}

export interface PlacedCell extends BadCell {
  /** Counted from 1, as in the batch. */
  readonly row: number;
  readonly line: number;
}

/**
 * Builds the list of a batch request from the rows of a file. Browsers keep such bytes outside the page's memory, but
 * not a gigabyte of them.
 *
 * @throws FileError when the file has changed or disappeared, or the list is larger than the service accepts
 */
export async function buildItems(
  inspected: InspectedFile,
  plan: RowPlan,
  options: BuildOptions = {},
): Promise<BuiltItems> {
  const { textBytes, ...built } = await build(inspected, plan, { ...options, encoding: 'gzip' });
  if (textBytes <= Math.max(anyTimesBytes, mostTimes * built.items.size)) return { ...built, encoding: 'gzip' };
  return { ...built, items: (await build(inspected, plan, options)).items, encoding: undefined };
}

async function build(
  { file, format }: InspectedFile,
  plan: RowPlan,
  { onProgress, signal, encoding }: BuildOptions & Partial<Pick<BuiltItems, 'encoding'>>,
): Promise<Omit<BuiltItems, 'encoding'> & { readonly textBytes: number }> {
  const parts: Blob[] = [];
  const badCells: PlacedCell[] = [];
  let badCellCount = 0;
  let count = 0;
  let text = '[';
  let textBytes = 0;
  let isHeader = format.kind === 'csv';
  const flush = async (): Promise<void> => {
    const part = new Blob([text]);
    text = '';
    textBytes += part.size;
    if (textBytes > fileLimits.bytes) throw new FileError('tooLarge');
    parts.push(encoding === undefined ? part : await compressed(part, encoding));
  };
  for await (const { rows, readBytes } of readRows(file, format, signal)) {
    for (const row of rows) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      count += 1;
      const built = buildRow(plan, row, count);
      text += `${count === 1 ? '' : ',\n'}${built.text}`;
      badCellCount += built.badCells.length;
      for (const cell of built.badCells)
        if (badCells.length < fileLimits.keptCells) badCells.push({ ...cell, row: count, line: row.line });
      if (text.length > flushedLength) await flush();
    }
    onProgress?.(readBytes / file.size);
  }
  text += ']';
  await flush();
  return { items: new Blob(parts), textBytes, badCells, badCellCount };
}

/** Concatenated gzip members are one valid gzip file (RFC 1952, 2.2). */
async function compressed(part: Blob, encoding: 'gzip'): Promise<Blob> {
  return await new Response(part.stream().pipeThrough(new CompressionStream(encoding))).blob();
}
