import { openPdfObjects, reference } from './pdf-objects.ts';

/**
 * The number of pages of a whole PDF (ISO 32000-1, 7.5 and 7.7.3): header, end marker, cross-references, catalogue, page
 * tree. Undefined when it is not a whole PDF; 'hidden' when an encrypted object stream holds the page tree.
 */
export function countPdfPages(bytes: Uint8Array): number | 'hidden' | undefined {
  const pdf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-') return undefined;
  const objects = openPdfObjects(pdf);
  const root = reference(objects?.trailer, 'Root');
  if (objects === undefined || root === undefined) return undefined;
  const tree = reference(objects.read(root), 'Pages');
  const count = tree === undefined ? undefined : /\/Count\s+(\d+)/.exec(objects.read(tree) ?? '')?.[1];
  // No page takes less than a byte.
  if (count !== undefined) return Number(count) <= pdf.length ? Number(count) : undefined;
  return /\/Encrypt\b/.test(objects.trailer) ? 'hidden' : undefined;
}
