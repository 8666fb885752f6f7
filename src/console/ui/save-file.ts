const keptMs = 60_000;

/** Has the browser save bytes as a file. The name is only proposed: browsers remove what a path could be. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A browser that is slow to start would save an empty file; later the bytes must not stay in the memory.
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
