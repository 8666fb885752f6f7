export type Part = readonly [name: string, value: string | Uint8Array, fileName?: string];

/** A part with a file name is sent as a file. */
export function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (fileName === undefined) form.append(name, String(value));
    else form.append(name, new Blob([new Uint8Array(Buffer.from(value))]), fileName);
  }
  return form;
}

/** A body written by hand, with the boundary of `ownBoundary`. */
export function rawBody(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}
export const nameHead = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n';
export const fileHead = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\n';
export const ownBoundary = { 'Content-Type': 'multipart/form-data; boundary=x' };

/** A body that is sent with the chunked transfer coding, because its length is unknown in advance. */
export function streamOf(bytes: Uint8Array, chunkBytes = 65_536): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunkBytes)));
      at += chunkBytes;
    },
  });
}
