/** The first lines of a list for a terminal; a last line counts the rest and says where it is. */
export function shorten(
  lines: readonly string[],
  maxLines: number,
  toRest: (count: number) => string,
): readonly string[] {
  const rest = lines.length - maxLines;
  // A single remaining line is shown rather than counted.
  return rest <= 1 ? lines : [...lines.slice(0, maxLines), toRest(rest)];
}
