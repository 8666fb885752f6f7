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

let passedFile: File | undefined;

/** Passes a file to the page that starts batches. */
export function passFile(file: File): void {
  passedFile = file;
}

/** The file that another page has passed; once. */
export function takePassedFile(): File | undefined {
  const file = passedFile;
  passedFile = undefined;
  return file;
}
