import type { PDF } from '@libpdf/core';

/** Entries of the catalog (ISO 32000-1, 7.7.2) that are lost when only pages are copied, in the words of a warning. */
const entries = [
  ['StructTreeRoot', 'its tags'],
  ['AcroForm', 'its form fields and signatures'],
  ['OCProperties', 'its layers, which are all visible'],
  ['PageLabels', 'its page numbers'],
  ['AF', 'its attachments'],
  ['Dests', 'links to its named places'],
] as const;

const namesEntries = [
  ['EmbeddedFiles', 'its attachments'],
  ['Dests', 'links to its named places'],
  ['JavaScript', 'its scripts'],
] as const;

/** The features that a PDF loses when only its pages are copied into another file. */
export function findLosses({ context }: PDF): readonly string[] {
  const catalog = context.catalog.getDict();
  const names = catalog.getDict('Names', (ref) => context.resolve(ref));
  const inNames = namesEntries.filter(([key]) => names?.has(key) === true);
  return [...new Set([...entries.filter(([key]) => catalog.has(key)), ...inNames].map(([, words]) => words))];
}
