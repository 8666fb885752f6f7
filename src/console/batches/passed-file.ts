import { createSessionMemory } from '../session/session-memory.ts';

const passed = createSessionMemory<File>(1);

/** Passes a file to the page that starts batches of a template. */
export const passFile = (templateId: string, file: File): void => passed.set(templateId, file);

/** The file that another page has passed for a template; once. */
export function takePassedFile(templateId: string): File | undefined {
  const file = passed.get(templateId);
  passed.delete(templateId);
  return file;
}
