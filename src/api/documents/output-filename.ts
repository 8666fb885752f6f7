const unsafe = /[\p{Cc}\p{Cs}"<>|:*?\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;
const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const maxBytes = 150;

/**
 * Makes a file name that any system can store: without path separators and control characters, with the format's
 * extension, and at most 150 bytes long.
 */
export function toSafeFilename(requestedName: string, format: string): string {
  const extension = `.${format}`;
  const last = requestedName.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  let stem = last.replace(unsafe, '').trim();
  if (stem.toLowerCase().endsWith(extension)) stem = stem.slice(0, -extension.length);
  stem = truncateUtf8(stem, maxBytes - extension.length).replace(/^[.\s]+|[.\s]+$/g, '');
  if (reservedOnWindows.test(stem)) stem = `_${stem}`;
  return `${stem === '' ? 'document' : stem}${extension}`;
}

/** `Content-Disposition` of RFC 6266: an ASCII `filename`, and the exact one as `filename*` of RFC 8187. */
export function contentDisposition(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function truncateUtf8(text: string, limitBytes: number): string {
  let sizeBytes = 0;
  let end = 0;
  for (const char of text) {
    sizeBytes += Buffer.byteLength(char);
    if (sizeBytes > limitBytes) break;
    end += char.length;
  }
  return text.slice(0, end);
}
