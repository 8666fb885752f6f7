import { UnreadableInvoice } from './unreadable-invoice.ts';

const declaration = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.:-]*)["']/;
/** The encodings that invoices use in practice. */
const accepted = new Set(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']);

/** Decodes an XML file by its byte order mark or its declared encoding. Default: UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const label = byteOrderMark(bytes) ?? declaration.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1];
  try {
    const decoder = new TextDecoder(label ?? 'utf-8', { fatal: true });
    if (accepted.has(decoder.encoding)) return decoder.decode(bytes);
  } catch {
    // The encoding is unknown, or the bytes are not valid in it.
  }
  throw new UnreadableInvoice(`The invoice cannot be decoded as ${label ?? 'utf-8'}. Write it in UTF-8.`);
}

function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb ? 'utf-8' : undefined;
}
