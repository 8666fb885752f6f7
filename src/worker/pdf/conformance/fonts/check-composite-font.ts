import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { checkWidth, readProgram } from './font-program.ts';
import type { UsedFont } from './used-font.ts';

const identity = new Set(['Identity-H', 'Identity-V']);
/** CMaps that need not be embedded (ISO 32000-1, table 118). */
const predefined =
  /^(GB(K?-EUC|pc-EUC|K-EUC|Kp-EUC|K2K)|UniGB-(UCS2|UTF16)|B5pc|HKscs-B5|ETen(ms)?-B5|CNS-EUC|UniCNS-(UCS2|UTF16)|83pv-RKSJ|90(ms|msp|pv)-RKSJ|Add-RKSJ|EUC|Ext-RKSJ|UniJIS-(UCS2(-HW)?|UTF16)|KSC-EUC|KSCms-UHC(-HW)?|KSCpc-EUC|UniKS-(UCS2|UTF16))-[HV]$|^[HV]$/;
const subsetName = /^[A-Z]{6}\+/;
const maxWidthRange = 65_536;

/** Checks a composite font (ISO 32000-1, 9.7). Codes are read as two bytes, as Identity-H maps them. */
export function checkCompositeFont(file: PdfFile, findings: Findings, { dict, codes, place }: UsedFont): void {
  const { report } = findings;
  const descendant = file.array(dict, 'DescendantFonts')?.[0];
  if (!(descendant instanceof PdfDict) || file.name(dict, 'BaseFont') === undefined) {
    report('font-dictionary', place);
    return;
  }
  const encoding = file.get(dict, 'Encoding');
  const name = encoding instanceof PdfName ? encoding.value : undefined;
  const isIdentity = name !== undefined && identity.has(name);
  if (!isIdentity) checkEncoding(file, findings, descendant, encoding, place);
  const map = file.get(descendant, 'CIDToGIDMap');
  const isTrueType = file.name(descendant, 'Subtype') === 'CIDFontType2';
  if (isTrueType && !(map instanceof PdfStream) && !(map instanceof PdfName && map.value === 'Identity'))
    report('font-glyph-map', place);
  if (codes.size === 0) return;
  const descriptor = file.dict(descendant, 'FontDescriptor');
  const program = readProgram(file, descriptor);
  if (program === 'missing') report('font-embedded', place);
  else if (program === 'damaged') report('font-program', place);
  checkCidSet(file, findings, dict, descriptor, codes, place);
  if (!isIdentity) return;
  const toGlyph = map instanceof PdfStream ? file.decode(map) : undefined;
  const glyphs = [...codes].map((code) => [code, glyphOf(toGlyph, code)] as const);
  if (glyphs.some(([, glyph]) => glyph === 0)) report('font-notdef', place);
  if (typeof program === 'string') return;
  const widths = readWidths(file, descendant);
  const defaultWidth = file.number(descendant, 'DW') ?? 1_000;
  for (const [code, glyph] of glyphs) {
    if (glyph >= program.glyphCount) report('font-glyphs', place);
    else if (glyph !== 0) checkWidth(report, program.widthOf(glyph), widths.get(code) ?? defaultWidth, place);
  }
}

function glyphOf(map: Uint8Array | undefined, cid: number): number {
  return map === undefined ? cid : ((map[cid * 2] ?? 0) << 8) | (map[cid * 2 + 1] ?? 0);
}

function checkEncoding(
  file: PdfFile,
  { report }: Findings,
  descendant: PdfDict,
  encoding: unknown,
  place: string,
): void {
  if (encoding instanceof PdfName) {
    if (!predefined.test(encoding.value)) report('font-cmap', place);
    return;
  }
  if (!(encoding instanceof PdfStream)) {
    report('font-cmap', place);
    return;
  }
  const base = file.get(encoding, 'UseCMap');
  const baseName = base instanceof PdfStream ? file.name(base, 'CMapName') : file.name(encoding, 'UseCMap');
  if (baseName !== undefined && !predefined.test(baseName) && !identity.has(baseName)) report('font-cmap', place);
  const content = Buffer.from(file.decode(encoding) ?? []).toString('latin1');
  const named = /\/(\S+)\s+usecmap/.exec(content)?.[1];
  if (named !== undefined && !predefined.test(named) && !identity.has(named)) report('font-cmap', place);
  const mode = Number(/\/WMode\s+(\d)/.exec(content)?.[1] ?? 0);
  if (mode !== (file.number(encoding, 'WMode') ?? 0)) report('font-cmap', place);
  const [own, other] = [file.dict(descendant, 'CIDSystemInfo'), file.dict(encoding, 'CIDSystemInfo')];
  const isSame = ['Registry', 'Ordering'].every((key) => file.text(own, key) === file.text(other, key));
  if (!isSame || (file.number(own, 'Supplement') ?? 0) > (file.number(other, 'Supplement') ?? 0))
    report('font-collection', place);
}

/** PDF/A-1 requires the list in a subset. Where present, it must contain every character in use. */
function checkCidSet(
  file: PdfFile,
  { report, needs }: Findings,
  font: PdfDict,
  descriptor: PdfDict | undefined,
  codes: ReadonlySet<number>,
  place: string,
): void {
  const stream = file.stream(descriptor, 'CIDSet');
  const isSubset = subsetName.test(file.name(font, 'BaseFont') ?? '');
  if (stream === undefined) {
    // Only PDF/A-1 forbids compressed objects.
    if (isSubset && needs('compressed-objects')) report('font-character-set', place);
    return;
  }
  const bits = file.decode(stream) ?? new Uint8Array();
  const isListed = (cid: number): boolean => ((bits[cid >> 3] ?? 0) & (0x80 >> (cid & 7))) !== 0;
  if (isSubset && ![...codes].every(isListed)) report('font-character-set', place);
}

/** The widths of CIDs (ISO 32000-1, 9.7.4.3). */
function readWidths(file: PdfFile, descendant: PdfDict): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  const values = file.array(descendant, 'W') ?? [];
  const numberAt = (index: number): number => {
    const value = values[index];
    return value?.type === 'number' ? value.value : 0;
  };
  for (let at = 0; at + 1 < values.length; ) {
    const second = values[at + 1];
    const first = numberAt(at);
    if (second instanceof PdfArray) {
      for (const [index, item] of [...second].map((value) => file.resolve(value)).entries())
        if (item?.type === 'number') widths.set(first + index, item.value);
      at += 2;
    } else {
      const last = Math.min(numberAt(at + 1), first + maxWidthRange);
      for (let cid = first; cid <= last; cid++) widths.set(cid, numberAt(at + 2));
      at += 3;
    }
  }
  return widths;
}
