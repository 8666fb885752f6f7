import type { DrawFuncs, Face, Font } from 'harfbuzzjs';
import type { FontStyle } from '../../account-fonts/account-family.ts';
import { type EmbeddingRights, readEmbeddingRights } from './embedding-rights.ts';
import { damaged, type FontTables, fontRejected, readFontTables } from './font-tables.ts';
import { rebuildFont } from './rebuild-font.ts';
import { replaceNames } from './replace-names.ts';

/** The result of inspecting an uploaded font. */
export interface FontReport {
  /** The English family name that Word shows. */
  readonly family: string;
  readonly style: FontStyle;
  readonly fullName: string;
  /** The family's names in all languages. */
  readonly familyNames: readonly string[];
  readonly version: string | null;
  readonly format: 'truetype' | 'opentype';
  readonly embedding: EmbeddingRights;
  readonly glyphs: number;
  /** First and last code point of each range of characters, ascending. */
  readonly coverage: readonly number[];
}

export interface InspectedFont {
  readonly report: FontReport;
  /** The font for conversions, after `withFamilyName` has given it a family name. */
  readonly file: Buffer;
}

const maxInspectedBytes = 64 * 1024 * 1024;
let inspectedBytes = 0;

const maxNameChars = 100;
const maxNames = 40;
const nameIds = { family: 1, full: 4, version: 5, postScript: 6 };
/** More than any real font has; the outlines of one glyph may refer to others many times. */
const maxSegments = 20_000_000;
const italicBit = 0x01;
const boldBit = 0x20;

/**
 * Checks that a font may be embedded and can be drawn, and rebuilds it with only what conversions need. Throws
 * `invalid_request` for the field `file`.
 */
export async function inspectFont(bytes: Buffer): Promise<InspectedFont> {
  inspectedBytes += bytes.length;
  try {
    return await inspect(bytes);
  } catch (error) {
    // WebAssembly.RuntimeError is missing from the types of Node.js.
    if (!(error instanceof Error && error.name === 'RuntimeError')) throw error;
    inspectedBytes = Number.POSITIVE_INFINITY;
    throw damaged();
  }
}

/** Whether the process should be replaced: the font engine crashed, or holds much memory until objects are collected. */
export function isFontEngineSpent(): boolean {
  return inspectedBytes > maxInspectedBytes;
}

async function inspect(bytes: Buffer): Promise<InspectedFont> {
  const tables = readFontTables(bytes);
  if (!tables.has('glyf') && !tables.has('CFF ') && !tables.has('CFF2'))
    throw fontRejected('is a font without outlines');
  const embedding = readEmbeddingRights(tables);
  const file = await rebuildFont(bytes, tables);
  const rebuilt = readFontTables(file);
  if (!rebuilt.has('glyf') && !rebuilt.has('CFF '))
    throw fontRejected('is a variable font with CFF2 outlines: export a static instance of it');
  const { Blob, DrawFuncs, Face, Font } = await import('harfbuzzjs');
  const face = new Face(new Blob(file));
  const glyphs = countGlyphs(rebuilt);
  drawAll(new Font(face), new DrawFuncs(), glyphs);
  const coverage = toRanges(face.collectUnicodes());
  if (coverage.length === 0) throw fontRejected('is a font without characters');
  permitEditing(rebuilt);
  const style = readStyle(rebuilt);
  const { postScriptName, ...names } = readNames(face);
  const format = rebuilt.has('glyf') ? 'truetype' : 'opentype';
  const report = { ...names, style, format, embedding, glyphs, coverage } as const;
  return { report, file: replaceNames(file, style, postScriptName) };
}

function countGlyphs(tables: FontTables): number {
  const maxp = tables.get('maxp');
  if (maxp === undefined || maxp.length < 6) throw damaged();
  return maxp.readUInt16BE(4);
}

/** Draws every glyph, because LibreOffice's own font reader processes all outlines. */
function drawAll(font: Font, draw: DrawFuncs, glyphs: number): void {
  let segments = 0;
  const count = (): void => {
    segments++;
  };
  draw.setLineToFunc(count);
  draw.setQuadraticToFunc(count);
  draw.setCubicToFunc(count);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const isDrawn = font.drawGlyphOrFail(glyph, draw);
    // An empty glyph, such as a space, has no outline and no extents.
    if (!isDrawn && font.glyphExtents(glyph) !== undefined)
      throw fontRejected(`is a font whose glyph ${glyph} is damaged`);
    if (segments > maxSegments) throw fontRejected('is a font with too many outlines');
  }
}

function toRanges(codePoints: Uint32Array): number[] {
  const ranges: number[] = [];
  for (const code of codePoints.toSorted()) {
    if (ranges.at(-1) === code - 1) ranges[ranges.length - 1] = code;
    else if (ranges.at(-1) !== code) ranges.push(code, code);
  }
  return ranges;
}

type Names = Pick<FontReport, 'family' | 'familyNames' | 'fullName' | 'version'>;

function readNames(face: Face): Names & { readonly postScriptName: string } {
  const entries = face.listNames().slice(0, 1000);
  const all = (id: number): string[] => {
    const languages = entries.filter((entry) => entry.nameId === id).map((entry) => entry.language);
    const names = languages.slice(0, maxNames).map((language) => cleanName(face.getName(id, language)));
    return [...new Set([cleanName(face.getName(id, 'en')), ...names])].filter((name) => name !== '');
  };
  const familyNames = all(nameIds.family);
  const [family] = familyNames;
  if (family === undefined) throw fontRejected('is a font without a family name');
  const [fullName = family] = all(nameIds.full);
  const [version = null] = all(nameIds.version);
  const [postScriptName = fullName] = all(nameIds.postScript);
  return { family, familyNames, fullName, version, postScriptName };
}

/** The name as one line of plain text, truncated to the length that a menu shows. */
function cleanName(name: string): string {
  return Array.from(
    name
      .toWellFormed()
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, maxNameChars)
    .join('')
    .trim();
}

function readStyle(tables: FontTables): FontStyle {
  const selection = tables.get('OS/2')?.readUInt16BE(62) ?? 0;
  if ((selection & boldBit) !== 0) return (selection & italicBit) !== 0 ? 'boldItalic' : 'bold';
  return (selection & italicBit) !== 0 ? 'italic' : 'regular';
}

/**
 * Marks the font as editable, because LibreOffice ignores embedded fonts that do not permit editing. The document that
 * it converts is never handed out, and the PDF embeds the font as `readEmbeddingRights` allows.
 */
function permitEditing(tables: FontTables): void {
  tables.get('OS/2')?.writeUInt16BE(0, 8);
}
