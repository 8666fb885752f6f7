import { ConflictError, type Docmill } from '@docmill/client';
import type { GalleryEntry } from './gallery-entries.ts';
import { loadEntry } from './load-entry.ts';

const maxCopies = 20;

/**
 * Copies a template of the gallery into the account, with its data as the example and its invoice mapping. A template
 * of the same name is never changed: the copy then gets the next free one, such as `Invoice 2.docx`.
 */
export async function copyEntry(docmill: Docmill, entry: GalleryEntry): Promise<{ id: string; name: string }> {
  const { file, data, invoiceMap } = await loadEntry(entry);
  const options = { ifNoneMatch: '*', schema: { examples: [data] }, invoiceMap } as const;
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? `${entry.title}.docx` : `${entry.title} ${copy}.docx`;
    try {
      return await docmill.templates.put(name, file, options);
    } catch (error) {
      if (!(error instanceof ConflictError) || copy === maxCopies) throw error;
    }
  }
}
