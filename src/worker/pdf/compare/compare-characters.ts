import type { Difference } from './comparison.ts';
import type { Character } from './read-characters.ts';

export interface CharacterComparison {
  /** The greatest distance between two positions of the same character, in points. */
  readonly movedPt: number;
  readonly difference: Omit<Difference, 'page'> | undefined;
}

/** One pixel at 96 dpi: readers do not notice a word that moved by less. */
const maxMovePt = 0.75;
/** Sizes are rounded to tenths of a point. */
const maxShapePt = 0.1;

/**
 * Compares the characters of a page. Each needs a counterpart with the same font, size, colour and link, at most 0.75
 * points away, so that every word stays on its line. The order is ignored, because cells and frames may be printed in
 * any order.
 */
export function compareCharacters(before: readonly Character[], after: readonly Character[]): CharacterComparison {
  const waiting = new Map<string, Character[]>();
  for (const character of after) {
    const key = keyOf(character, cellOf(character.x), cellOf(character.y));
    const cell = waiting.get(key);
    if (cell === undefined) waiting.set(key, [character]);
    else cell.push(character);
  }
  let movedPt = 0;
  const lost = before.filter((character) => {
    const twin = takeNearest(waiting, character);
    if (twin !== undefined) movedPt = Math.max(movedPt, distance(character, twin));
    return twin === undefined;
  });
  const added = [...waiting.values()].flat();
  const first = lost[0] ?? added[0];
  if (first === undefined) return { movedPt, difference: undefined };
  return { movedPt, difference: { measure: 'text', message: describe(lost, added), x: first.x, y: first.y } };
}

const cellOf = (length: number): number => Math.floor(length / maxMovePt);

function keyOf({ codePoint, font, colour, link }: Character, column: number, row: number): string {
  return `${codePoint} ${column} ${row} ${colour} ${font} ${link}`;
}

function takeNearest(waiting: ReadonlyMap<string, Character[]>, character: Character): Character | undefined {
  let nearest: { readonly cell: Character[]; readonly index: number; readonly byPt: number } | undefined;
  for (let row = cellOf(character.y) - 1; row <= cellOf(character.y) + 1; row++) {
    for (let column = cellOf(character.x) - 1; column <= cellOf(character.x) + 1; column++) {
      const cell = waiting.get(keyOf(character, column, row)) ?? [];
      for (const [index, other] of cell.entries()) {
        const byPt = distance(character, other);
        if (byPt <= (nearest?.byPt ?? maxMovePt) && hasShapeOf(character, other)) nearest = { cell, index, byPt };
      }
    }
  }
  return nearest?.cell.splice(nearest.index, 1)[0];
}

function hasShapeOf(character: Character, other: Character): boolean {
  return character.shape.every((length, index) => Math.abs(length - (other.shape[index] ?? 0)) <= maxShapePt);
}

const distance = (a: Character, b: Character): number => Math.hypot(a.x - b.x, a.y - b.y);

function describe(lost: readonly Character[], added: readonly Character[]): string {
  const count = Math.max(lost.length, added.length);
  const characters = `${count} character${count === 1 ? '' : 's'}`;
  if (lost.length === 0) return `${characters} too many`;
  if (added.length === 0) return `${characters} missing`;
  const [first] = lost;
  const twins = added.filter(({ codePoint, font }) => codePoint === first?.codePoint && font === first.font);
  if (first === undefined || twins.length === 0)
    return `${characters} with another font, size, colour or link, or missing`;
  const nearest = Math.min(...twins.slice(0, maxTwins).map((twin) => distance(first, twin)));
  return nearest <= maxMovePt
    ? `${characters} with another size, colour or link`
    : `${characters} elsewhere, the first by ${nearest.toFixed(2)} pt`;
}

const maxTwins = 1_000;
