/** What lays out the pages of a PDF, in the words of the API: LibreOffice, or Docmill itself. */
export const pdfEngines = ['office', 'direct'] as const;

/** The name of Docmill's own layout in a document's record. LibreOffice reports its own name. */
export const directEngineName = 'Docmill';

export function pdfEngineOf({ name }: { readonly name: string }): (typeof pdfEngines)[number] {
  return name === directEngineName ? 'direct' : 'office';
}
