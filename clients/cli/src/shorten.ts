/** The first lines of a list for a terminal; the last one counts the others and says where they are. */
export function shorten(
  lines: readonly string[],
  maxLines: number,
  toRest: (count: number) => string,
): readonly string[] {
  const rest = lines.length - maxLines;
  // One more line says no less than a line about it.
  return rest <= 1 ? lines : [...lines.slice(0, maxLines), toRest(rest)];
}
