import type { DroppedFile } from '../../ui/read-drop.ts';

/**
 * The file as it is now on the disk, where the browser has a handle of it. Without one the browser refuses to read a file that has
 * been saved since it was chosen.
 */
export async function currentFile({ file, handle }: DroppedFile): Promise<File> {
  return handle === undefined ? file : await handle.getFile();
}
