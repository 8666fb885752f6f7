import { escapeAttribute } from '@docmill/word/escape-xml';
import type { Scope } from '../../language/scope.ts';

/** The place of a bookmark or a reference in the data: the items around it, and the data that it reads. */
interface Place {
  readonly items: ReadonlySet<string>;
  readonly segments: readonly string[];
}

interface Copy {
  readonly name: string;
  readonly place: Place;
}

interface Reference {
  readonly name: string;
  readonly place: Place;
  /** The index of the piece that holds the name. */
  readonly piece: number;
}

/** Word allows names of 40 characters. */
const longestStem = 32;

/** The copies of the bookmarks in the sections of one part, and the references to them. */
export class PlacedBookmarks {
  readonly #copies = new Map<string, Copy[]>();
  readonly #taken = new Set<string>();
  readonly #references: Reference[] = [];

  /** The name of a further copy, escaped; undefined for the first one, which keeps its name. */
  place(name: string, scope: Scope): string | undefined {
    const copies = this.#copies.get(name) ?? [];
    this.#copies.set(name, copies);
    const own = copies.length === 0 ? name : this.#freeName(name, copies.length + 1);
    this.#taken.add(own.toLowerCase());
    copies.push({ name: own, place: placeOf(scope) });
    return copies.length === 1 ? undefined : escapeAttribute(own);
  }

  refer(name: string, scope: Scope, piece: number): void {
    this.#references.push({ name, place: placeOf(scope), piece });
  }

  /** Makes each reference lead to the copy whose place has most in common with its own. */
  finish(pieces: string[]): void {
    for (const { name, place, piece } of this.#references) {
      const copies = this.#copies.get(name) ?? [];
      if (copies.length < 2) continue;
      let nearest = copies[0];
      let most = -1;
      for (const copy of copies) {
        const shared = sharedBy(place, copy.place);
        if (shared > most) [nearest, most] = [copy, shared];
      }
      if (nearest !== undefined) pieces[piece] = escapeAttribute(nearest.name);
    }
  }

  #freeName(name: string, first: number): string {
    for (let number = first; ; number++) {
      const own = `${name.slice(0, longestStem)}_${number}`;
      if (!this.#taken.has(own.toLowerCase()) && !this.#copies.has(own)) return own;
    }
  }
}

function placeOf(scope: Scope): Place {
  const items = new Set<string>();
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent)
    if (level.position !== undefined) items.add(level.path);
  return { items, segments: scope.path.split(/[.[]/) };
}

const itemWeight = 1000;

function sharedBy(a: Place, b: Place): number {
  let shared = 0;
  for (const item of a.items) if (b.items.has(item)) shared += itemWeight;
  while (shared % itemWeight < a.segments.length && a.segments[shared % itemWeight] === b.segments[shared % itemWeight])
    shared++;
  return shared;
}
