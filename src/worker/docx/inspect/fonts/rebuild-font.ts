import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { damaged, type FontTables } from './font-tables.ts';

/** The functions of HarfBuzz's subsetter used here (hb-subset.h); pointers and tags are numbers. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(bytes: number): number;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_get_length(blob: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_keep_everything(input: number): void;
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

// The types of Node.js do not declare these as values.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const writableMemory = 2;
const tablesToCopy = 2;
const tablesToDrop = 3;
const flags = {
  noHinting: 0x01,
  retainGlyphIds: 0x02,
  legacyNames: 0x08,
  notdefOutline: 0x40,
  glyphNames: 0x80,
  keepUnicodeRanges: 0x100,
};
/** Tables needed to lay out and print a font: no hinting programs, colours, bitmaps, SVG or signatures. */
const neededTables = new Set(
  [
    'OS/2',
    'head',
    'hhea',
    'hmtx',
    'maxp',
    'name',
    'post',
    'cmap',
    'glyf',
    'loca',
    'CFF ',
    'GDEF',
    'GSUB',
    'GPOS',
  ].concat(
    ['vhea', 'vmtx', 'VORG', 'BASE'],
    // Dropped by the subsetter after it has fixed the axes of a variable font at their defaults.
    ['fvar', 'gvar', 'avar', 'HVAR', 'VVAR', 'MVAR', 'STAT', 'cvar', 'CFF2'],
  ),
);

let compiled: Promise<object> | undefined;

/**
 * Rewrites the font with HarfBuzz, which parses each table and copies nothing that it does not understand. Runs in
 * WebAssembly with its own memory. Throws `invalid_request` for a font that it cannot read.
 */
export async function rebuildFont(bytes: Buffer, tables: FontTables): Promise<Buffer> {
  compiled ??= compile();
  const instance = new WebAssembly.Instance(await compiled, {});
  const hb = instance.exports as Subsetter;
  hb._initialize();
  const data = hb.malloc(bytes.length);
  const input = hb.hb_subset_input_create_or_fail();
  if (data === 0 || input === 0) throw damaged();
  new Uint8Array(hb.memory.buffer).set(bytes, data);
  const face = hb.hb_face_create(hb.hb_blob_create(data, bytes.length, writableMemory, 0, 0), 0);
  hb.hb_subset_input_keep_everything(input);
  hb.hb_subset_input_set_flags(
    input,
    Object.values(flags).reduce((all, flag) => all | flag, 0),
  );
  if (tables.has('fvar')) hb.hb_subset_input_pin_all_axes_to_default(input, face);
  const copied = hb.hb_subset_input_set(input, tablesToCopy);
  hb.hb_set_clear(copied);
  // Layout engines read kern only in fonts without GPOS, and check it themselves.
  const hasOldKerning = tables.has('kern') && !tables.has('GPOS');
  if (hasOldKerning) hb.hb_set_add(copied, toTag('kern'));
  const dropped = hb.hb_subset_input_set(input, tablesToDrop);
  for (const tag of tables.keys())
    if (!neededTables.has(tag) && !(hasOldKerning && tag === 'kern')) hb.hb_set_add(dropped, toTag(tag));
  const rebuilt = hb.hb_subset_or_fail(face, input);
  if (rebuilt === 0) throw damaged();
  const blob = hb.hb_face_reference_blob(rebuilt);
  const length = hb.hb_blob_get_length(blob);
  return Buffer.from(new Uint8Array(hb.memory.buffer, hb.hb_blob_get_data(blob, 0), length));
}

async function compile(): Promise<object> {
  const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  return new WebAssembly.Module(await readFile(file));
}

/** Encodes a four-character tag as HarfBuzz's number. */
function toTag(text: string): number {
  return Buffer.from(text.padEnd(4), 'latin1').readUInt32BE(0);
}
