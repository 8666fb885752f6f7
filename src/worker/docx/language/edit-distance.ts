/** The Damerau-Levenshtein distance (optimal string alignment) of two strings. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const replaced = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name most similar to `text`, if the difference may be a typo. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const maxDistance = text.length <= 3 ? 1 : 2;
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - text.length) > maxDistance) continue;
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance <= maxDistance && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
