import type { DroppedFile } from '../../ui/read-drop.ts';

/**
 * Reads the current file from disk if the browser has a handle. Without one, the browser refuses to read a file saved
 * since it was chosen.
 */
export async function currentFile({ file, handle }: DroppedFile): Promise<File> {
  return handle === undefined ? file : await handle.getFile();
}
