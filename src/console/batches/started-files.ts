import { createSessionMemory } from '../session/session-memory.ts';
import type { FileFormat } from './file/read-rows.ts';
import type { Choices } from './mapping/choices.ts';
import type { Corrections } from './mapping/row-plan.ts';
import type { OutputForm } from './start/output-form-state.ts';

export interface StartedFile {
  readonly file: File;
  readonly format: FileFormat;
  /** What the user chose for the batch. Undefined if the batch was started elsewhere. */
  readonly choices?: Choices;
  readonly form?: OutputForm;
  readonly corrections?: Corrections;
}

/** The files with which this tab started batches, by batch id; failed rows are extracted from them. */
export const startedFiles = createSessionMemory<StartedFile>(20);
