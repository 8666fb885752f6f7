import { outsideKeywords } from './field-instruction.ts';

/**
 * Whether some of the pieces, in their order, make an instruction that reads from outside: for instructions in markup that
 * not every reader reads alike, so that nobody knows which pieces it passes over.
 */
export function canReadOutside(pieces: readonly string[]): boolean {
  const texts = pieces.map((piece) => piece.replaceAll('"', '').toUpperCase());
  return [...outsideKeywords].some((keyword) => canSpell(keyword, texts));
}

function canSpell(keyword: string, texts: readonly string[]): boolean {
  const reached = new Set([0]);
  for (const text of texts) {
    for (const at of [...reached]) {
      const rest = keyword.slice(at);
      const said = at === 0 ? text.trimStart() : text;
      if (said.startsWith(rest) && !/^\w/.test(said.slice(rest.length))) return true;
      if (rest.startsWith(said)) reached.add(at + said.length);
    }
  }
  return false;
}
