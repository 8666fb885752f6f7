import { createSessionMemory } from '../session/session-memory.ts';
import type { StartedFile } from './started-files.ts';

/** A file for a new batch; one with rows of an earlier batch has that batch's choices. */
export type PassedFile = Pick<StartedFile, 'file'> & Partial<Pick<StartedFile, 'format' | 'choices' | 'form'>>;

const passed = createSessionMemory<PassedFile>(1);

/** Passes a file to the page that starts batches with a template. */
export const passFile = (templateId: string, file: PassedFile): void => passed.set(templateId, file);

/** Returns the file that another page passed for a template, and forgets it. */
export function takePassedFile(templateId: string): PassedFile | undefined {
  const file = passed.get(templateId);
  passed.delete(templateId);
  return file;
}
