import type { BundleRow } from './list-rows.ts';

const unsafe = /[\p{Cc}\p{Cs}"<>|:*?\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

export type NamedRow = Pick<BundleRow, 'row' | 'filename' | 'format'>;

/**
 * Names the files of a batch: asked in the order of the rows, about those that have a file, it gives each a name of its own
 * that any system can store, also where capitals do not count, and the same one each time.
 */
export function createFileNamer(): (row: NamedRow) => string {
  const taken = new Set<string>();
  return ({ row, filename, format }) => {
    const stem = toStem(filename, format);
    let name = `${stem}.${format}`;
    for (let turn = 1; taken.has(keyOf(name)); turn++) name = `${stem}-${row}${turn === 1 ? '' : `-${turn}`}.${format}`;
    taken.add(keyOf(name));
    return name;
  };
}

/** Path parts and what no file name may hold are removed. */
function toStem(filename: string, format: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(unsafe, '').trim();
  const stem = clean.toLowerCase().endsWith(`.${format}`) ? clean.slice(0, -format.length - 1) : clean;
  return stem.replace(/^[.\s]+|[.\s]+$/g, '') || 'document';
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
