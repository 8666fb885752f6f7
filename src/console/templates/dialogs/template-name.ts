/** As the API: a plain file name. */
export const maxNameLength = 200;
/** Control characters, marks that turn the direction of text, and separators of paths. */
const notInNames = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff/\\]/gu;

/** A name for a template, from that of its file: without what a name may not have, and with its ending. */
export function templateNameOf(fileName: string): string {
  const ending = '.docx';
  const stem = fileName
    .replace(/\.docx$/i, '')
    .toWellFormed()
    .replace(notInNames, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...(stem === '' ? 'template' : stem)].slice(0, maxNameLength - ending.length);
  return characters.join('') + ending;
}

/** Whether a name has nothing that a person can see. */
export const isBlank = (name: string): boolean => name.trim() === '';

/** The name as the API wants it: people leave the ending out. */
export function withEnding(name: string): string {
  const trimmed = name.trim();
  return trimmed === '' || /.\.docx$/i.test(trimmed) ? trimmed : `${trimmed}.docx`;
}
