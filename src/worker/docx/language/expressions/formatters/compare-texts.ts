/** The operators of conditions in fields. */
export const comparisons: readonly string[] = ['=', '<>', '<', '>', '<=', '>='];

const longestPattern = 1000;

/**
 * Compares two texts as the field IF does: as numbers if `read` reads a number in both, and otherwise as texts. `?` and
 * `*` of the second are wildcards.
 */
export function compareTexts(
  first: string,
  sign: string,
  second: string,
  read: (text: string) => number | undefined,
): boolean {
  const [a, b] = [read(first), read(second)];
  const difference = a !== undefined && b !== undefined ? a - b : first < second ? -1 : first > second ? 1 : 0;
  switch (sign) {
    case '<':
      return difference < 0;
    case '>':
      return difference > 0;
    case '<=':
      return difference <= 0;
    case '>=':
      return difference >= 0;
    default: {
      // Matching takes as many steps as the product of both lengths.
      const isPattern = /[*?]/.test(second) && first.length + second.length <= longestPattern;
      const isEqual = isPattern ? matches(first, second) : difference === 0;
      return sign === '<>' ? !isEqual : isEqual;
    }
  }
}

function matches(text: string, pattern: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[place] === '*') [star, mark] = [place++, at];
    else if (pattern[place] === '?' || pattern[place] === text[at]) [at, place] = [at + 1, place + 1];
    else if (star < 0) return false;
    else [place, mark, at] = [star + 1, mark + 1, mark + 1];
  }
  return /^\**$/.test(pattern.slice(place));
}
