import type { StructureElement } from '../structure/read-structure.ts';
import type { Link, TaggedFile } from './tagged-file.ts';

const idDigits = 10;

/** Footnotes and endnotes need identifiers (ISO 14289-1, 7.9), which LibreOffice 7.4 does not write. */
export function nameNotes({ file, structure, numberOf, changes }: TaggedFile): void {
  const ids = new Set<string>();
  const named: string[] = [];
  for (const { dict } of notesOf(structure.elements)) {
    const id = file.text(dict, 'ID') ?? '';
    const number = numberOf(dict);
    if (number !== undefined && (id === '' || ids.has(id))) {
      // All have the same length, because a name tree is sorted.
      const name = `note-${String(number).padStart(idDigits, '0')}`;
      changes.setEntry(number, 'ID', `(${name})`);
      named.push(`(${name}) ${number} 0 R`);
    }
    ids.add(id);
  }
  const root = file.dict(file.catalog, 'StructTreeRoot');
  const number = root === undefined ? undefined : numberOf(root);
  if (named.length === 0 || number === undefined || root?.has('IDTree') === true) return;
  changes.setEntry(number, 'IDTree', `<</Names[${named.sort().join(' ')}]>>`);
}

/**
 * LibreOffice 7.4 does not tag the links from notes back to the text. The links of each page belong to the notes of
 * that page, in the same order.
 */
export function linkNotes({ structure, links, numberOf, changes, attach }: TaggedFile): void {
  const notes = notesOf(structure.elements).filter((note) => !hasLink(note));
  for (const page of new Set(links.map((link) => link.page))) {
    const ofPage = notes.filter((note) => note.page === page.number);
    const untagged = links.filter((link) => link.page === page && link.element === undefined).sort(fromTop);
    if (untagged.length !== ofPage.length) continue;
    for (const [i, link] of untagged.entries()) {
      const note = ofPage[i];
      const number = note === undefined ? undefined : numberOf(note.dict);
      if (number === undefined) continue;
      const own = changes.addObject(`<</Type/StructElem/S/Link/P ${number} 0 R/Pg ${page.ref.objectNumber} 0 R/K[]>>`);
      changes.addItem(number, 'K', `${own} 0 R`);
      attach(link, own);
    }
  }
}

function notesOf(elements: readonly StructureElement[]): StructureElement[] {
  return elements.filter(({ role }) => role === 'Note');
}

function hasLink({ role, children }: StructureElement): boolean {
  return role === 'Link' || children.some(hasLink);
}

function fromTop(a: Link, b: Link): number {
  return (b.box[3] ?? 0) - (a.box[3] ?? 0);
}
