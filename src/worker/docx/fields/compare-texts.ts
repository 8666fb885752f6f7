import { readNumber, type Separators } from './format-number.ts';

/** Compares two operands as numbers if both are, and otherwise as texts; `?` and `*` of the second are wildcards. */
export function compareTexts(first: string, sign: string, second: string, separators: Separators): boolean {
  const [a, b] = [strictNumber(first, separators), strictNumber(second, separators)];
  const isEqual = a !== undefined && b !== undefined ? a === b : matches(first, second);
  if (sign === '=') return isEqual;
  if (sign === '<>') return !isEqual;
  const difference = a !== undefined && b !== undefined ? a - b : first < second ? -1 : first > second ? 1 : 0;
  if (sign === '<') return difference < 0;
  if (sign === '>') return difference > 0;
  return sign === '<=' ? difference <= 0 : difference >= 0;
}

const strictNumber = (written: string, separators: Separators): number | undefined =>
  /\p{L}/u.test(written) ? undefined : readNumber(written, separators);

/** Compares a text with a pattern in which `?` stands for a character and `*` for any number of them. */
function matches(written: string, pattern: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < written.length) {
    if (pattern[place] === '*') [star, mark] = [place++, at];
    else if (pattern[place] === '?' || pattern[place] === written[at]) [at, place] = [at + 1, place + 1];
    else if (star < 0) return false;
    else [place, mark, at] = [star + 1, mark + 1, mark + 1];
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
