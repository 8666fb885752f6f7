import type { BundleRow } from './list-rows.ts';

const unsafe = /[\p{Cc}\p{Cs}"<>|:*?\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

export type NamedRow = Pick<BundleRow, 'row' | 'filename' | 'format'>;

/**
 * Names the files of a batch. If called for the rows with files in order, it always returns the same names. They are
 * unique even on case-insensitive file systems.
 */
export function createFileNamer(): (row: NamedRow) => string {
  const used = new Set<string>();
  return ({ row, filename, format }) => {
    const stem = toStem(filename, format);
    let name = `${stem}.${format}`;
    for (let n = 1; used.has(keyOf(name)); n++) name = `${stem}-${row}${n === 1 ? '' : `-${n}`}.${format}`;
    used.add(keyOf(name));
    return name;
  };
}

/** Removes path components and characters that file names must not contain. */
function toStem(filename: string, format: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(unsafe, '').trim();
  const stem = clean.toLowerCase().endsWith(`.${format}`) ? clean.slice(0, -format.length - 1) : clean;
  return stem.replace(/^[.\s]+|[.\s]+$/g, '') || 'document';
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
