import { createSessionMemory } from '../session/session-memory.ts';

const passed = createSessionMemory<File>(1);

/** Passes a file to the page that starts batches with a template. */
export const passFile = (templateId: string, file: File): void => passed.set(templateId, file);

/** Returns the file that another page passed for a template, and forgets it. */
export function takePassedFile(templateId: string): File | undefined {
  const file = passed.get(templateId);
  passed.delete(templateId);
  return file;
}
