import { FileError } from '../file/file-error.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { fileLimits } from '../file/limits.ts';
import { readRows } from '../file/read-rows.ts';
import { buildItemText, type RowPlan, type UnclearCell } from './build-row.ts';

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
  /** The first rows with a cell that is neither yes nor no; the service refuses only these rows. */
  readonly unclear: readonly UnclearRow[];
}

export interface UnclearRow extends UnclearCell {
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
  const { items, textBytes, unclear } = await build(inspected, plan, { ...options, encoding: 'gzip' });
  if (textBytes <= Math.max(anyTimesBytes, mostTimes * items.size)) return { items, encoding: 'gzip', unclear };
  return { items: (await build(inspected, plan, options)).items, encoding: undefined, unclear };
}

async function build(
  { file, format }: InspectedFile,
  plan: RowPlan,
  { onProgress, signal, encoding }: BuildOptions & Partial<Pick<BuiltItems, 'encoding'>>,
): Promise<Pick<BuiltItems, 'items' | 'unclear'> & { readonly textBytes: number }> {
  const parts: Blob[] = [];
  const unclear: UnclearRow[] = [];
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
      const item = buildItemText(plan, row);
      text += `${count === 0 ? '' : ',\n'}${item.text}`;
      count += 1;
      if (item.unclear !== undefined && unclear.length < fileLimits.keptProblems)
        unclear.push({ ...item.unclear, row: count, line: row.line });
      if (text.length > flushedLength) await flush();
    }
    onProgress?.(readBytes / file.size);
  }
  text += ']';
  await flush();
  return { items: new Blob(parts), textBytes, unclear };
}

/** Concatenated gzip members are one valid gzip file (RFC 1952, 2.2). */
async function compressed(part: Blob, encoding: 'gzip'): Promise<Blob> {
  return await new Response(part.stream().pipeThrough(new CompressionStream(encoding))).blob();
}
