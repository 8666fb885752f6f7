/** The API's limit; it requires a plain file name. */
export const maxNameLength = 200;
/** Control characters, bidirectional marks and path separators. */
const notInNames = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff/\\]/gu;

/** Derives a template name from a file name: removes forbidden characters and adds the ending. */
export function templateNameOf(fileName: string): string {
  const ending = '.docx';
  const stem = fileName
    .replace(/\.(?:docx|dotx|dotm|xml)$/i, '')
    .toWellFormed()
    .replace(notInNames, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...(stem === '' ? 'template' : stem)].slice(0, maxNameLength - ending.length);
  return characters.join('') + ending;
}

/** Whether a name has no visible characters. */
export const isBlank = (name: string): boolean => name.trim() === '';

/** Adds the extension that the API requires, because users often omit it. */
export function withEnding(name: string): string {
  const trimmed = name.trim();
  return trimmed === '' || /.\.docx$/i.test(trimmed) ? trimmed : `${trimmed}.docx`;
}
