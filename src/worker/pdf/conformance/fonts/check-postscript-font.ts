import { PdfArray, PdfDict, PdfName } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { checkWidth } from './font-program.ts';
import { namedEncoding } from './glyph-names.ts';
import type { PostScriptProgram } from './postscript-program.ts';
import type { UsedFont } from './used-font.ts';

/** Checks that a Type 1 or CFF program has the glyphs that the text shows, with the widths of the dictionary. */
export function checkPostScriptFont(
  file: PdfFile,
  { report, needs }: Findings,
  { dict, place, codes }: UsedFont,
  program: PostScriptProgram,
  widths: ReadonlyMap<number, number> | undefined,
): void {
  const descriptor = file.dict(dict, 'FontDescriptor');
  const encoding = readEncoding(file, dict, program);
  const missingWidth = file.number(descriptor, 'MissingWidth') ?? 0;
  for (const code of codes) {
    const name = encoding.get(code) ?? '.notdef';
    if (name === '.notdef') report('font-notdef', place);
    else if (!program.glyphs.has(name)) report('font-glyphs', place);
    else if (widths !== undefined)
      checkWidth(report, program.glyphs.get(name), widths.get(code) ?? missingWidth, place);
  }
  const listed = file.text(descriptor, 'CharSet');
  const isSubset = /^[A-Z]{6}\+/.test(file.name(dict, 'BaseFont') ?? '');
  if (listed === undefined) {
    // Only PDF/A-1 requires the list, and forbids compressed objects.
    if (isSubset && needs('compressed-objects')) report('font-character-set', place);
    return;
  }
  const names = new Set([...listed.matchAll(/\/([^\s/]+)/g)].map(([, name = '']) => name));
  const own = new Set([...program.glyphs.keys()].filter((name) => name !== '.notdef'));
  names.delete('.notdef');
  const isEqual = names.size === own.size && [...own].every((name) => names.has(name));
  if (isSubset && !isEqual) report('font-character-set', place);
}

/** The glyph names of character codes (ISO 32000-1, 9.6.6). */
export function readEncoding(
  file: PdfFile,
  font: PdfDict,
  program: Pick<PostScriptProgram, 'encoding'>,
): ReadonlyMap<number, string> {
  const value = file.get(font, 'Encoding');
  const base = value instanceof PdfDict ? file.name(value, 'BaseEncoding') : file.name(font, 'Encoding');
  const names = new Map(namedEncoding(base) ?? program.encoding);
  const differences = value instanceof PdfDict ? file.get(value, 'Differences') : undefined;
  let code = 0;
  for (const item of differences instanceof PdfArray ? differences : []) {
    const one = file.resolve(item);
    if (one?.type === 'number') code = one.value;
    else if (one instanceof PdfName) names.set(code++, one.value);
  }
  return names;
}
