import {
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';

const maxDepth = 64;
const irregular = /[^!-~]|[#%()/<>[\]{}]/;

/** Thrown for a PDF that nests objects too deeply. */
export class TooDeep extends Error {}

/**
 * Serializes a direct object (ISO 32000-1, 7.3) with renamed references; for a stream, its dictionary with the actual
 * length. Omits the keys in `without` at the top level.
 */
export function pdfText(
  object: PdfObject,
  rename: (ref: PdfRef) => string,
  without: ReadonlySet<string> = new Set(),
  depth = 0,
): string {
  if (depth > maxDepth) throw new TooDeep('the PDF is nested too deeply');
  if (object instanceof PdfRef) return rename(object);
  if (object instanceof PdfName) return nameText(object.value);
  if (object instanceof PdfNumber) return numberText(object.value);
  if (object instanceof PdfBool) return object.value ? 'true' : 'false';
  if (object instanceof PdfString) return `<${Buffer.from(object.bytes).toString('hex')}>`;
  if (object instanceof PdfArray) {
    return `[${[...object].map((item) => pdfText(item, rename, undefined, depth + 1)).join(' ')}]`;
  }
  if (!(object instanceof PdfDict)) return 'null';
  const entries = [...object].filter(([key]) => !without.has(key.value) && !isLength(object, key));
  const texts = entries.map(([key, value]) => `${nameText(key.value)} ${pdfText(value, rename, undefined, depth + 1)}`);
  if (object instanceof PdfStream) texts.push(`/Length ${object.data.length}`);
  return `<<${texts.join(' ')}>>`;
}

/** Serializes a text string (7.9.2.2) in UTF-16. */
export function textString(text: string): string {
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

function isLength(object: PdfDict, key: PdfName): boolean {
  return object instanceof PdfStream && key.value === 'Length';
}

function nameText(name: string): string {
  if (!irregular.test(name)) return `/${name}`;
  const bytes = [...Buffer.from(name)].map((byte) => {
    const char = String.fromCharCode(byte);
    return irregular.test(char) ? `#${byte.toString(16).padStart(2, '0')}` : char;
  });
  return `/${bytes.join('')}`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return value.toFixed(8).replace(/\.?0+$/, '');
}
