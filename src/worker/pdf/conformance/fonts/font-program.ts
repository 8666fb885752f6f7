import type { PdfDict } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { type GlyphProgram, readTrueType } from './read-truetype.ts';

/** ISO 19005-2, 6.2.11.5: widths may differ by one thousandth of an em. */
const maxWidthDifference = 1;

/** The embedded program of a font; `unchecked` for Type 1 and CFF, whose glyphs are not read. */
export function readProgram(
  file: PdfFile,
  descriptor: PdfDict | undefined,
): GlyphProgram | 'missing' | 'damaged' | 'unchecked' {
  const trueType = file.stream(descriptor, 'FontFile2');
  const other = file.stream(descriptor, 'FontFile') ?? file.stream(descriptor, 'FontFile3');
  if (trueType === undefined && other === undefined) return 'missing';
  const data = file.decode(trueType ?? (other as NonNullable<typeof other>));
  if (data === undefined || data.length === 0) return 'damaged';
  if (trueType === undefined) return 'unchecked';
  return readTrueType(data) ?? 'damaged';
}

export function checkWidth(
  report: Findings['report'],
  inProgram: number | undefined,
  inDictionary: number,
  place: string,
): void {
  if (inProgram !== undefined && Math.abs(inProgram - inDictionary) > maxWidthDifference) report('font-widths', place);
}
