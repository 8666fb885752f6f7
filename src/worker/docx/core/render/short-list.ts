const mostNames = 5;

/** The first names for a sentence, each with at most `longest` characters. */
export function shortList(names: readonly string[], longest: number): string {
  const shown = names.slice(0, mostNames).map((name) => (name.length > longest ? `${name.slice(0, longest)}…` : name));
  return shown.join(', ') + (names.length > mostNames ? ' and others' : '');
}
