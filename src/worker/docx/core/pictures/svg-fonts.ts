import { readFileSync } from 'node:fs';
import { decodeEntities, scanXml } from '@docmill/word/xml-tokens';
import { LRUCache } from 'lru-cache';
import { isInRanges } from '../../../../shared/code-point-set.ts';
import type { DrawingFace } from '../../../../shared/fonts.ts';
import { decodeXml, encodingOf } from '../../package/xml-text.ts';

/** The fonts of a drawing. */
export interface DrawingFonts {
  /** Font files besides those of Liberation, in the order in which the renderer searches them. */
  readonly fonts: readonly Uint8Array[];
  /** Characters that no font has, each once. */
  readonly missing: readonly string[];
}

const mebibyte = 1024 * 1024;
/** The renderer copies the fonts for each drawing. Regular and bold Chinese, Japanese and Korean fonts take 40 MiB. */
const maxBytesPerDrawing = 48 * mebibyte;
const maxCachedBytes = 64 * mebibyte;
const maxMissing = 50;
const baseFamily = 'Liberation Sans';
const needsOther = /[^\0-\u024f]/;
const neverDrawn = /[\p{Cc}\p{Cf}\p{Z}]|\u034f|[\ufe00-\ufe0f]/u;
const noFonts: DrawingFonts = { fonts: [], missing: [] };
const notDrawn = new Set(['title', 'desc', 'style', 'script', 'metadata']);

let faces: readonly DrawingFace[] = [];
const files = new LRUCache<string, Uint8Array>({
  maxSize: maxCachedBytes,
  sizeCalculation: (bytes) => bytes.length + 1,
});

/** Sets the installed fonts that drawings can use from now on. */
export function setDrawingFaces(installed: readonly DrawingFace[]): void {
  faces = installed;
  files.clear();
}

/** Finds the fonts that a drawing names, and one for each character that neither they nor Liberation have. */
export function fontsOfDrawing(svg: Uint8Array): DrawingFonts {
  const bytes = Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength);
  if (faces.length === 0 || encodingOf(bytes) !== 'utf-8') return noFonts;
  const xml = decodeXml(bytes, 'picture');
  const lower = xml.toLowerCase();
  const named = faces.filter(({ family }) => family !== baseFamily && namesFamily(lower, family.toLowerCase()));
  const characters = charactersOf(xml);
  if (named.length === 0 && characters.size === 0) return noFonts;
  const chosen = new Set<DrawingFace>(named);
  const missing: string[] = [];
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    const hasIt = ({ ranges }: DrawingFace): boolean => isInRanges(ranges, code);
    if ([...chosen].some(hasIt) || faces.some((face) => face.family === baseFamily && hasIt(face))) continue;
    const best = bestOf(faces.filter(hasIt));
    if (best !== undefined) chosen.add(best);
    else if (missing.length < maxMissing) missing.push(character);
  }
  return { fonts: loadFiles([...chosen], /bold|[6-9]00/.test(lower)), missing };
}

/** Whether the text contains the whole name of the family: "Noto Serif" does not match "Noto Serif Thai". */
function namesFamily(text: string, family: string): boolean {
  for (let at = text.indexOf(family); at >= 0; at = text.indexOf(family, at + 1))
    if (/^\s*(?:[^\w\s]|$)/.test(text.slice(at + family.length, at + family.length + 20))) return true;
  return false;
}

/** The non-Latin characters that its text draws, each once. */
function charactersOf(xml: string): Set<string> {
  const found = new Set<string>();
  if (!needsOther.test(xml) && !xml.includes('&')) return found;
  let depth = 0;
  let omitted = 0;
  scanXml(
    xml,
    ({ local, kind }) => {
      if (kind === 'empty') return;
      const step = kind === 'open' ? 1 : -1;
      if (local === 'text') depth += step;
      else if (notDrawn.has(local)) omitted += step;
    },
    ({ kind, start, end }) => {
      if (depth <= 0 || omitted > 0 || (kind !== 'text' && kind !== 'cdata')) return;
      const written = xml.slice(start, end);
      const text = kind === 'text' ? decodeEntities(written) : written.slice(9, -3);
      for (const character of text) if (needsOther.test(character) && !neverDrawn.test(character)) found.add(character);
    },
  );
  return found;
}

const order = [/^Noto Sans CJK JP$/, /^Noto Sans(?! CJK)/, /^DejaVu Sans$/, /^Noto Sans/, /^Noto/];

function bestOf(candidates: readonly DrawingFace[]): DrawingFace | undefined {
  const rankOf = ({ family, isBold }: DrawingFace): number => {
    const index = order.findIndex((pattern) => pattern.test(family));
    return 2 * (index < 0 ? order.length : index) + (isBold ? 1 : 0);
  };
  let best = candidates[0];
  for (const face of candidates) if (best !== undefined && rankOf(face) < rankOf(best)) best = face;
  return best;
}

function loadFiles(wanted: readonly DrawingFace[], isBold: boolean): Uint8Array[] {
  const families = new Set(wanted.map(({ family }) => family));
  const paths = new Set<string>();
  for (const weight of isBold ? [false, true] : [false])
    for (const face of faces) if (families.has(face.family) && face.isBold === weight) paths.add(face.file);
  // A family may have no regular face.
  for (const face of wanted) if (!isBold || face.isBold) paths.add(face.file);
  const loaded: Uint8Array[] = [];
  let bytes = 0;
  for (const path of paths) {
    const file = readFont(path);
    if (file === undefined || bytes + file.length > maxBytesPerDrawing) continue;
    bytes += file.length;
    loaded.push(file);
  }
  return loaded;
}

function readFont(path: string): Uint8Array | undefined {
  const known = files.get(path);
  if (known !== undefined) return known;
  try {
    const bytes = readFileSync(path);
    files.set(path, bytes);
    return bytes;
  } catch {
    return undefined;
  }
}
