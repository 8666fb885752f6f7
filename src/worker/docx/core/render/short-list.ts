const mostNames = 5;

/** Joins the first names for use in a sentence, each truncated to `longest` characters. */
export function shortList(names: readonly string[], longest: number): string {
  const shown = names.slice(0, mostNames).map((name) => (name.length > longest ? `${name.slice(0, longest)}…` : name));
  return shown.join(', ') + (names.length > mostNames ? ' and others' : '');
}
