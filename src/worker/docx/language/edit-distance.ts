/** Levenshtein distance: how many letters must be added, removed or replaced. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name most like `text`, if it can be a slip of the keyboard. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const most = text.length <= 3 ? 1 : 2;
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - text.length) > most) continue;
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}
