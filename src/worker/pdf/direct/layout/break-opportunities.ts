import { Rules } from '@cto.af/linebreak';
import { LRUCache } from 'lru-cache';

const rules = new Rules();
/** Without any of these a line may break behind spaces only. */
const decisive = /[^A-Za-z0-9 .,:;'"]| [.,:;'"]/;

const slash = 0x2f;
const dashes = /— +(?=—)/g;

const mostCharacters = 1_000_000;
const longestKept = 2_000;
/** By text: most text of a document is that of its template. */
const kept = new LRUCache<string, ReadonlySet<number>>({
  maxSize: mostCharacters,
  sizeCalculation: (_positions, text) => Math.max(1, text.length),
});

/**
 * The positions in a text before which a line may begin (Unicode Standard Annex 14), without its end. LibreOffice takes them
 * from ICU, with rules of its own that never break behind a slash, and break between two em dashes behind a space.
 */
export function breakOpportunities(text: string): ReadonlySet<number> {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const found = findOpportunities(text);
  if (text.length <= longestKept) kept.set(text, found);
  return found;
}

function findOpportunities(text: string): ReadonlySet<number> {
  const positions = new Set<number>();
  if (decisive.test(text)) {
    for (const { position } of rules.breaks(text)) {
      const isBehindSlash = text.charCodeAt(position - 1) === slash;
      if (position < text.length && !isBehindSlash) positions.add(position);
    }
    for (const { index, 0: dash } of text.matchAll(dashes)) positions.add(index + dash.length);
    return positions;
  }
  for (let at = 1; at < text.length; at++) {
    if (text.charCodeAt(at - 1) === 0x20 && text.charCodeAt(at) !== 0x20) positions.add(at);
  }
  return positions;
}
