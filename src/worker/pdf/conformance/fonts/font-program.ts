import type { PdfDict } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import type { PostScriptProgram } from './postscript-program.ts';
import { readCff } from './read-cff.ts';
import { type GlyphProgram, readTrueType } from './read-truetype.ts';
import { readType1 } from './read-type1.ts';

/** ISO 19005-2, 6.2.11.5: widths may differ by one thousandth of an em. */
const maxWidthDifference = 1;

/** The embedded program of a font; `unchecked` for Type 1 and CFF, which `readPostScriptProgram` reads. */
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

/** The Type 1 or CFF program of a simple font; undefined if there is none, or it is of another kind. */
export function readPostScriptProgram(file: PdfFile, descriptor: PdfDict | undefined): PostScriptProgram | undefined {
  const type1 = file.stream(descriptor, 'FontFile');
  const compact = file.stream(descriptor, 'FontFile3');
  const stream = type1 ?? (file.name(compact, 'Subtype') === 'Type1C' ? compact : undefined);
  const data = stream === undefined ? undefined : file.decode(stream);
  if (data === undefined) return undefined;
  return type1 === undefined ? readCff(data) : readType1(data);
}

export function checkWidth(
  report: Findings['report'],
  inProgram: number | undefined,
  inDictionary: number,
  place: string,
): void {
  if (inProgram !== undefined && Math.abs(inProgram - inDictionary) > maxWidthDifference) report('font-widths', place);
}
