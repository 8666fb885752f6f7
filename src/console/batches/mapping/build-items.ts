import { FileError } from '../file/file-error.ts';
import type { InspectedFile } from '../file/inspect-file.ts';
import { fileLimits } from '../file/limits.ts';
import { readRows } from '../file/read-rows.ts';
import { buildItemText, type RowPlan } from './build-row.ts';

const flushedLength = 1_000_000;

interface BuildOptions {
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * The rows of a file as the list of a batch request. Browsers keep such bytes outside of the memory of the page.
 *
 * @throws FileError when the file has changed or disappeared, or the list is larger than the service accepts
 */
export async function buildItems(
  { file, format }: InspectedFile,
  plan: RowPlan,
  { onProgress, signal }: BuildOptions = {},
): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '[';
  let sizeBytes = 0;
  let isFirst = true;
  let isHeader = format.kind === 'csv';
  const flush = (): void => {
    const part = new Blob([text]);
    text = '';
    sizeBytes += part.size;
    if (sizeBytes > fileLimits.bytes) throw new FileError('tooLarge');
    parts.push(part);
  };
  for await (const { rows, readBytes } of readRows(file, format, signal)) {
    for (const row of rows) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      text += `${isFirst ? '' : ',\n'}${buildItemText(plan, row)}`;
      isFirst = false;
      if (text.length > flushedLength) flush();
    }
    onProgress?.(readBytes / file.size);
  }
  text += ']';
  flush();
  return new Blob(parts);
}
