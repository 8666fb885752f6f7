import { findIdMarks, type IdMark, withId, withShapeId } from './id-marks.ts';

// Word counts from 1.
const firstFreeId = 1_000_000_000;
const nothing = '';
const bookmarkName = /\sw:name=["']([^"']*)/;

/**
 * Makes the ids of one document unique after sections repeated and dropped parts of it (ECMA-376 part 1, 17.13 and
 * 20.4.2.5). Drawings, shapes, permissions and tracked changes get new ids in each copy. Bookmarks and comments
 * stay only in the first copy, unless it has another name. A range without its start or end is removed.
 */
export class IdRepair {
  readonly #seen = new Set<string>();
  #next = firstFreeId;

  /** The part with unique ids. */
  part(xml: string): string {
    const marks = findIdMarks(xml);
    const replacements = new Map<IdMark, string>();
    this.#repairRanges(marks, xml, replacements);
    this.#repairShapes(marks, xml, replacements);
    for (const mark of marks) {
      const { kind, id, start, end } = mark;
      if (kind.startsWith('shape')) continue;
      if (kind.endsWith('Start') || kind.endsWith('End') || this.#isFirst(kind, id)) continue;
      const written = xml.slice(start, end);
      if (kind === 'commentReference') replacements.set(mark, nothing);
      else replacements.set(mark, withId(written, this.#next++));
    }
    return replaceAll(xml, replacements);
  }

  /** VML shape ids are local to their part. Shapes share shape types, and embedded objects refer to shapes by id. */
  #repairShapes(marks: readonly IdMark[], xml: string, replacements: Map<IdMark, string>): void {
    const seen = new Set<string>();
    const renamed = new Map<string, string>();
    for (const mark of marks) {
      const { kind, id, start, end } = mark;
      if (!kind.startsWith('shape') || id === '') continue;
      const key = `${kind} ${id}`;
      const newId = renamed.get(id);
      if (kind === 'shapeUser') {
        if (newId !== undefined) replacements.set(mark, withId(xml.slice(start, end), newId));
      } else if (!seen.has(key)) seen.add(key);
      else if (kind === 'shapetype') replacements.set(mark, nothing);
      else {
        const own = `shape${this.#next++}`;
        renamed.set(id, own);
        replacements.set(mark, withShapeId(xml.slice(start, end), own));
      }
    }
  }

  #repairRanges(marks: readonly IdMark[], xml: string, replacements: Map<IdMark, string>): void {
    const open = new Map<string, IdMark>();
    for (const mark of marks) {
      if (mark.kind.endsWith('Start')) {
        const key = mark.kind.replace('Start', mark.id);
        const earlier = open.get(key);
        if (earlier !== undefined) replacements.set(earlier, nothing);
        open.set(key, mark);
      } else if (mark.kind.endsWith('End')) {
        const key = mark.kind.replace('End', mark.id);
        const start = open.get(key);
        open.delete(key);
        if (start === undefined) replacements.set(mark, nothing);
        else this.#repairRange(start, mark, xml, replacements);
      }
    }
    for (const mark of open.values()) replacements.set(mark, nothing);
  }

  #repairRange(start: IdMark, end: IdMark, xml: string, replacements: Map<IdMark, string>): void {
    const isFirst = this.#isFirst(start.kind, start.id);
    const name = start.kind === 'bookmarkStart' ? bookmarkName.exec(xml.slice(start.start, start.end))?.[1] : undefined;
    const isNewName = name !== undefined && this.#isFirst('bookmark', name.toLowerCase());
    if (isFirst) return;
    const isKept = start.kind === 'permStart' || isNewName;
    const id = isKept ? this.#next++ : 0;
    for (const mark of [start, end])
      replacements.set(mark, isKept ? withId(xml.slice(mark.start, mark.end), id) : nothing);
  }

  #isFirst(kind: string, id: string): boolean {
    const key = `${kind} ${id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

function replaceAll(xml: string, replacements: ReadonlyMap<IdMark, string>): string {
  if (replacements.size === 0) return xml;
  const pieces: string[] = [];
  let read = 0;
  for (const [mark, replacement] of [...replacements].sort(([a], [b]) => a.start - b.start)) {
    pieces.push(xml.slice(read, mark.start), replacement);
    read = mark.end;
  }
  pieces.push(xml.slice(read));
  return pieces.join('');
}
