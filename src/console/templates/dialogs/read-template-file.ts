import { uploadTexts } from '../../texts/templates.ts';
import type { DroppedFile } from '../../ui/read-drop.ts';

/** The browser refuses to read a file: without a handle, it does so once the file was saved after it was chosen. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/**
 * Reads the current content of the file. The copy stays readable even if the file changes while it is sent.
 *
 * @throws UnreadableFile
 */
export async function readTemplateFile({ file, handle }: DroppedFile): Promise<File> {
  try {
    const current = handle === undefined ? file : await handle.getFile();
    return new File([await current.arrayBuffer()], current.name, { lastModified: current.lastModified });
  } catch (cause) {
    throw new UnreadableFile(uploadTexts.unreadable, { cause });
  }
}
