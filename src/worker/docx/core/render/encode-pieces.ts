const chunkChars = 1024 * 1024;

/** The pieces as UTF-8, joined a megabyte at a time so that a large part is never one string on the heap. */
export function encodePieces(pieces: readonly string[]): Buffer {
  const chunks: Buffer[] = [];
  let start = 0;
  let chars = 0;
  for (let i = 0; i < pieces.length; i++) {
    chars += pieces[i]?.length ?? 0;
    if (chars < chunkChars) continue;
    chunks.push(Buffer.from(pieces.slice(start, i + 1).join(''), 'utf8'));
    start = i + 1;
    chars = 0;
  }
  const last = Buffer.from((start === 0 ? pieces : pieces.slice(start)).join(''), 'utf8');
  return chunks.length === 0 ? last : Buffer.concat([...chunks, last]);
}
