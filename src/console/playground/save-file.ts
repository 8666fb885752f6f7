/** Has the browser save bytes as a file. */
export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer> | string, type: string): void {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; the bytes must not stay in the memory.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
