const maxNameChars = 60;

/** The name of a document as fields show it: no path, at most 250 bytes in UTF-8, with the extension .docx. */
export function toDocumentName(filename: string): string {
  const last = filename.toWellFormed().replace(/^.*[/\\]/s, '');
  const stem = last.replace(/\.[^.]*$/, '').replace(/\p{Cc}/gu, '');
  return `${[...stem].slice(0, maxNameChars).join('').trim() || 'document'}.docx`;
}
