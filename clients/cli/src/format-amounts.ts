/** `1 page`, `2 pages`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `512 B`, `18.2 kB`, `1.4 MB`: powers of 1,000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const isMega = bytes >= 999_950;
  return `${(bytes / (isMega ? 1_000_000 : 1_000)).toFixed(1)} ${isMega ? 'MB' : 'kB'}`;
}
