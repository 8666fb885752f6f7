import { createSessionMemory } from '../session/session-memory.ts';
import type { DroppedFile } from '../ui/read-drop.ts';

const opened = createSessionMemory<DroppedFile>(1);

/** Passes a file to the playground of a template, which shows its pages instead of those of the template. */
export const passOpenedFile = (templateId: string, file: DroppedFile): void => opened.set(templateId, file);

/** Returns the file that another page passed to the playground of a template, and forgets it. */
export function takeOpenedFile(templateId: string): DroppedFile | undefined {
  const file = opened.get(templateId);
  opened.delete(templateId);
  return file;
}
