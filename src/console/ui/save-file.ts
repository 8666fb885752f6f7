const keptMs = 60_000;

/** Downloads bytes as a file. The name is only a suggestion; browsers remove path separators. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked late, because a slow browser would otherwise save an empty file; revoked at all, to free the memory.
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
