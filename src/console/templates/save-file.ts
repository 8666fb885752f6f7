/** Has the browser save bytes as a file. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
