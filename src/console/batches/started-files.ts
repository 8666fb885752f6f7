import type { FileFormat } from './file/read-rows.ts';

export interface StartedFile {
  readonly file: File;
  readonly format: FileFormat;
}

const kept = 20;
const files = new Map<string, StartedFile>();

/** Keeps which file a batch was started with, for as long as this tab is open: its failed rows can be taken out of it. */
export function rememberFile(batchId: string, file: StartedFile): void {
  files.set(batchId, file);
  const [oldest] = files.keys();
  if (files.size > kept && oldest !== undefined) files.delete(oldest);
}

export const fileOfBatch = (batchId: string): StartedFile | undefined => files.get(batchId);

let handedOver: File | undefined;

/** Hands a file to the page that starts batches. */
export function handOver(file: File): void {
  handedOver = file;
}

/** The file that another page has handed over; once. */
export function takeHandedOver(): File | undefined {
  const file = handedOver;
  handedOver = undefined;
  return file;
}
