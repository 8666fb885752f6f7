import { escapeAttribute } from '@docmill/word/escape-xml';
import type { Scope } from '../../language/scope.ts';

/** The items around a bookmark or a reference, and the places of its data, from the innermost. */
type Places = readonly string[];

interface Copies {
  count: number;
  /** The first copy in each place. */
  readonly at: Map<string, string>;
}

interface Reference {
  readonly name: string;
  readonly places: Places;
  /** The index of the piece that holds the name. */
  readonly piece: number;
}

/** Word allows names of 40 characters. */
const longestStem = 32;

/** The copies of the bookmarks in the sections of one part, and the references to them. */
export class PlacedBookmarks {
  readonly #copies = new Map<string, Copies>();
  readonly #taken = new Set<string>();
  readonly #references: Reference[] = [];

  /** The name of a further copy, escaped; undefined for the first one, which keeps its name. */
  place(name: string, scope: Scope, taken: ReadonlySet<string>): string | undefined {
    const copies = this.#copies.get(name) ?? { count: 0, at: new Map<string, string>() };
    this.#copies.set(name, copies);
    copies.count++;
    const own = copies.count === 1 ? name : this.#freeName(name, copies.count, taken);
    this.#taken.add(own.toLowerCase());
    for (const place of placesOf(scope)) if (!copies.at.has(place)) copies.at.set(place, own);
    return copies.count === 1 ? undefined : escapeAttribute(own);
  }

  refer(name: string, scope: Scope, piece: number): void {
    this.#references.push({ name, places: placesOf(scope), piece });
  }

  /** Makes each reference lead to the copy that shares its innermost place. */
  finish(pieces: string[]): void {
    for (const { name, places, piece } of this.#references) {
      const copies = this.#copies.get(name);
      const shared = places.find((place) => copies?.at.has(place) === true);
      if (shared !== undefined) pieces[piece] = escapeAttribute(copies?.at.get(shared) ?? name);
    }
  }

  #freeName(name: string, first: number, taken: ReadonlySet<string>): string {
    for (let number = first; ; number++) {
      const own = `${name.slice(0, longestStem)}_${number}`;
      const folded = own.toLowerCase();
      if (!this.#taken.has(folded) && !taken.has(folded)) return own;
    }
  }
}

function placesOf(scope: Scope): Places {
  const places: string[] = [];
  for (let level: Scope | undefined = scope; level !== undefined; level = level.parent)
    if (level.position !== undefined) places.push(level.path);
  // An included template with its own data cannot see the items around it, but its data may belong to one of them.
  const { path } = scope;
  for (let end = path.lastIndexOf(']'); end !== -1; end = path.lastIndexOf(']', end - 1)) {
    const place = path.slice(0, end + 1);
    if (!places.includes(place)) places.push(place);
  }
  return places;
}
