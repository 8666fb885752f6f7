/** First and last code point of each range, ascending and disjoint: `[0x20, 0x7e, 0xa0, 0x17f]`. */
export type CodePointRanges = readonly number[];

const codePoints = 0x110000;

/**
 * Parses ranges as fontconfig prints them, such as `20-7e a0-17f 2c6`. Skips anything that is not a range of code
 * points.
 */
export function parseRanges(text: string): number[] {
  const bounds: number[] = [];
  for (const range of text.split(/\s+/)) {
    const [first = '', last = first] = range.split('-');
    const from = Number.parseInt(first, 16);
    const to = Number.parseInt(last, 16);
    if (from <= to && to < codePoints) bounds.push(from, to);
  }
  return mergeRanges([bounds]);
}

/** The union of several lists of ranges, given in any order. */
export function mergeRanges(lists: Iterable<CodePointRanges>): number[] {
  const ranges: [number, number][] = [];
  for (const list of lists) for (let i = 0; i + 1 < list.length; i += 2) ranges.push([list[i] ?? 0, list[i + 1] ?? 0]);
  ranges.sort(([a], [b]) => a - b);
  const merged: number[] = [];
  for (const [first, last] of ranges) {
    const end = merged.at(-1);
    if (end === undefined || first > end + 1) merged.push(first, last);
    else if (last > end) merged[merged.length - 1] = last;
  }
  return merged;
}

/** Whether a code point is in one of the ranges. */
export function isInRanges(ranges: CodePointRanges, codePoint: number): boolean {
  // Finds the last range that begins at the code point or before.
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle * 2] ?? 0) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low > 0 && codePoint <= (ranges[low * 2 - 1] ?? -1);
}

/** A set of code points with constant-time lookup: one bit for each code point, 136 KB in total. */
export class CodePointSet {
  readonly #bits = new Uint8Array(codePoints / 8);

  constructor(...lists: readonly CodePointRanges[]) {
    for (const list of lists)
      for (let i = 0; i + 1 < list.length; i += 2) this.#add(list[i] ?? 0, Math.min(list[i + 1] ?? 0, codePoints - 1));
  }

  has(codePoint: number): boolean {
    return ((this.#bits[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0;
  }

  #add(first: number, last: number): void {
    for (let code = first; code <= last; code++) {
      if ((code & 7) === 0 && code + 7 <= last) {
        this.#bits[code >> 3] = 0xff;
        code += 7;
      } else this.#bits[code >> 3] = (this.#bits[code >> 3] ?? 0) | (1 << (code & 7));
    }
  }
}
