/** Saves bytes as a file of the person's computer. The name is only proposed: browsers remove what a path could be. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later: a browser that is slow to start would save an empty file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
