import { createSessionMemory } from '../session/session-memory.ts';
import type { FileFormat } from './file/read-rows.ts';

export interface StartedFile {
  readonly file: File;
  readonly format: FileFormat;
}

/** The files with which this tab started batches, by batch id; failed rows are extracted from them. */
export const startedFiles = createSessionMemory<StartedFile>(20);
