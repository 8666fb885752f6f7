import { createSessionMemory } from '../session/session-memory.ts';
import type { FileFormat } from './file/read-rows.ts';

export interface StartedFile {
  readonly file: File;
  readonly format: FileFormat;
}

/** The files that batches of this tab were started with, by the ids of the batches: failed rows can be taken out of them. */
export const startedFiles = createSessionMemory<StartedFile>(20);
