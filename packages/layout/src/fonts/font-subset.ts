import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { UnknownFeature } from '../unknown-feature.ts';

/** HarfBuzz's functions for subsetting fonts (`hb-subset.h`), in WebAssembly. Pointers and sizes are in bytes. */
interface SubsetExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  free(data: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_preprocess(face: number): number;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

// The types of Node.js do not declare this value.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

export interface FontSubset {
  /** The length of the font file in bytes. */
  readonly length: number;
  /** The font file, deflated as PDF embeds it (ISO 32000-1, 7.4.4). */
  readonly deflated: Uint8Array;
}

export interface FontSubsetter {
  /**
   * Subsets the font file to these glyphs, which keep their ids, and to the tables that PDF needs (ISO 32000-1, 9.9).
   * Throws UnknownFeature for a font that cannot be subset.
   */
  subset(font: Uint8Array, glyphs: readonly number[]): FontSubset;
}

/** Drops hinting, which hardly any PDF viewer uses and which is a third of most fonts. */
const withoutHinting = 0x1;
const retainGlyphNumbers = 0x2;
const dropTableSet = 3;
const readOnly = 1;
/** Not needed in a PDF, where glyphs are already chosen and positioned. */
const droppedTables = [
  'GSUB',
  'GPOS',
  'GDEF',
  'BASE',
  'JSTF',
  'MATH',
  'cmap',
  'name',
  'OS/2',
  'post',
  'kern',
  'DSIG',
  'gasp',
];
const mostFonts = 40;
/** The memory of this HarfBuzz is 65 MB and does not grow, and fonts of accounts come and go. */
const mostBytes = 24 * 1024 * 1024;

interface PreparedFont {
  readonly face: number;
  /** The copy of the font file, which HarfBuzz reads but does not free. */
  readonly data: number;
}

/** Loads HarfBuzz's subsetter. Fonts are prepared only once, because that takes longer than many subsets. */
export async function openFontSubsetter(): Promise<FontSubsetter> {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
  const hb = instance.exports as SubsetExports;
  hb._initialize();
  const prepared = new LRUCache<Uint8Array, PreparedFont>({
    max: mostFonts,
    maxSize: mostBytes,
    sizeCalculation: (_, font) => font.byteLength + 1,
    dispose({ face, data }) {
      hb.hb_face_destroy(face);
      hb.free(data);
    },
  });

  function prepare(font: Uint8Array): PreparedFont {
    const data = hb.malloc(font.byteLength);
    if (data === 0) throw new Error('HarfBuzz has no memory for a font');
    new Uint8Array(hb.memory.buffer).set(font, data);
    const blob = hb.hb_blob_create(data, font.byteLength, readOnly, 0, 0);
    const face = hb.hb_face_create(blob, 0);
    hb.hb_blob_destroy(blob);
    const made = hb.hb_subset_preprocess(face);
    hb.hb_face_destroy(face);
    return { face: made, data };
  }

  function make(face: number, glyphs: readonly number[]): FontSubset {
    const input = hb.hb_subset_input_create_or_fail();
    const wanted = hb.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) hb.hb_set_add(wanted, glyph);
    const dropped = hb.hb_subset_input_set(input, dropTableSet);
    for (const table of droppedTables) hb.hb_set_add(dropped, tagNumber(table));
    hb.hb_subset_input_set_flags(input, withoutHinting | retainGlyphNumbers);
    const made = hb.hb_subset_or_fail(face, input);
    hb.hb_subset_input_destroy(input);
    if (made === 0) throw new UnknownFeature('a font that cannot be subset');
    const blob = hb.hb_face_reference_blob(made);
    const start = hb.hb_blob_get_data(blob, 0);
    const length = hb.hb_blob_get_length(blob);
    const deflated = deflateSync(new Uint8Array(hb.memory.buffer, start, length));
    hb.hb_blob_destroy(blob);
    hb.hb_face_destroy(made);
    return { length, deflated };
  }

  return {
    subset(font, glyphs) {
      if (font.byteLength >= mostBytes) throw new UnknownFeature('a very large font');
      const found = prepared.get(font) ?? prepare(font);
      prepared.set(font, found);
      return make(found.face, glyphs);
    },
  };
}

function tagNumber(tag: string): number {
  return tag.split('').reduce((number, character) => (number << 8) | character.charCodeAt(0), 0);
}
