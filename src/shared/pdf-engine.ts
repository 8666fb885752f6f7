/** What lays out the pages of a PDF, in the words of the API: LibreOffice, or Docmill itself. */
export const pdfEngines = ['office', 'direct'] as const;

/** The name that a document's record has for Docmill's own layout. LibreOffice reports its name by itself. */
export const directEngineName = 'Docmill';

export function pdfEngineOf({ name }: { readonly name: string }): (typeof pdfEngines)[number] {
  return name === directEngineName ? 'direct' : 'office';
}
