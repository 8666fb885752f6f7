import { PdfDict } from '@libpdf/core';
import { readOperations } from '../content/read-operations.ts';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { checkPostScriptFont, readEncoding } from './check-postscript-font.ts';
import { checkWidth, readPostScriptProgram, readProgram } from './font-program.ts';
import type { GlyphProgram } from './read-truetype.ts';
import type { UsedFont } from './used-font.ts';

const types = new Set(['Type1', 'MMType1', 'TrueType', 'Type3']);
const symbolicFlag = 4;
const namedEncodings = new Set(['WinAnsiEncoding', 'MacRomanEncoding']);

/** Checks a font whose character codes are single bytes (ISO 32000-1, 9.6). */
export function checkSimpleFont(file: PdfFile, findings: Findings, font: UsedFont): void {
  const { report } = findings;
  const { dict, place, codes } = font;
  const type = file.name(dict, 'Subtype') ?? '';
  if (!types.has(type)) report('font-dictionary', place);
  const widths = readWidths(file, dict);
  if (widths === undefined) report('font-dictionary', place);
  if (type === 'Type3') checkDrawnGlyphs(file, findings, font, widths);
  if (type === 'Type3' || codes.size === 0) return;
  if (file.name(dict, 'BaseFont') === undefined) report('font-dictionary', place);
  const descriptor = file.dict(dict, 'FontDescriptor');
  const program = readProgram(file, descriptor);
  if (program === 'missing') report('font-embedded', place);
  else if (program === 'damaged') report('font-program', place);
  else if (program !== 'unchecked' && type === 'TrueType') {
    checkEncoding(file, findings, font, descriptor, program);
    checkGlyphs(file, findings, font, descriptor, program, widths);
  } else if (program === 'unchecked') {
    const named = readPostScriptProgram(file, descriptor);
    if (named !== undefined) checkPostScriptFont(file, findings, font, named, widths);
  }
}

/** The width that a glyph of a Type 3 font sets for itself must be that of the dictionary. */
function checkDrawnGlyphs(
  file: PdfFile,
  { report }: Findings,
  { dict, codes, place }: UsedFont,
  widths: ReadonlyMap<number, number> | undefined,
): void {
  const glyphs = file.dict(dict, 'CharProcs');
  const names = readEncoding(file, dict, { encoding: new Map() });
  for (const code of codes) {
    const glyph = file.stream(glyphs, names.get(code) ?? '');
    const content = glyph === undefined ? undefined : file.decode(glyph);
    if (content === undefined) continue;
    const [first] = readOperations(content);
    const [width] = first?.operands ?? [];
    const isSet = first?.operator === 'd0' || first?.operator === 'd1';
    if (isSet && width?.kind === 'number') checkWidth(report, width.value, widths?.get(code) ?? 0, place);
  }
}

function checkEncoding(
  file: PdfFile,
  { report }: Findings,
  { dict, place }: UsedFont,
  descriptor: PdfDict | undefined,
  { encodings }: GlyphProgram,
): void {
  const encoding = file.get(dict, 'Encoding');
  if (isSymbolic(file, descriptor)) {
    if (encoding !== undefined || (encodings.length !== 1 && !encodings.includes('3,0')))
      report('font-encoding', place);
    return;
  }
  const name = encoding instanceof PdfDict ? file.name(encoding, 'BaseEncoding') : file.name(dict, 'Encoding');
  const hasDifferences = encoding instanceof PdfDict && encoding.has('Differences');
  const isReadable = encodings.includes('3,1') || (encodings.includes('1,0') && !hasDifferences);
  if (name === undefined || !namedEncodings.has(name) || !isReadable) report('font-encoding', place);
}

/** Only for symbolic fonts, whose codes map to glyphs directly, not by the names of glyphs. */
function checkGlyphs(
  file: PdfFile,
  { report }: Findings,
  { codes, place }: UsedFont,
  descriptor: PdfDict | undefined,
  program: GlyphProgram,
  widths: ReadonlyMap<number, number> | undefined,
): void {
  if (!isSymbolic(file, descriptor)) return;
  const missingWidth = file.number(descriptor, 'MissingWidth') ?? 0;
  for (const code of codes) {
    const glyph = program.glyphOf(code);
    if (glyph === 0) report('font-notdef', place);
    else if (glyph >= program.glyphCount) report('font-glyphs', place);
    else if (widths !== undefined) checkWidth(report, program.widthOf(glyph), widths.get(code) ?? missingWidth, place);
  }
}

function isSymbolic(file: PdfFile, descriptor: PdfDict | undefined): boolean {
  return ((file.number(descriptor, 'Flags') ?? 0) & symbolicFlag) !== 0;
}

/** Undefined if entries are missing or contradict each other. */
function readWidths(file: PdfFile, dict: PdfDict): ReadonlyMap<number, number> | undefined {
  const [first, last] = [file.number(dict, 'FirstChar'), file.number(dict, 'LastChar')];
  const values = file.array(dict, 'Widths');
  if (first === undefined || last === undefined || values?.length !== last - first + 1) return undefined;
  return new Map(values.map((value, index) => [first + index, value?.type === 'number' ? value.value : 0]));
}
