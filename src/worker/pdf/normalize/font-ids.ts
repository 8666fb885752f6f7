import { deflateSync } from 'node:zlib';
import {
  dictionaryOf,
  inflatedStreamOf,
  type PdfFile,
  type PdfObject,
  type PdfObjects,
  withStream,
} from '../pdf-file.ts';

/** Private ids (Adobe Technical Note 5088). Any values work, as long as the fonts of a file have different ones. */
const firstId = 4_100_001;
const lastId = 4_999_999;
const uniqueId = /(\/UniqueID )\d{7}(?!\d)/g;
const maxFontBytes = 64 * 1024 * 1024;

/**
 * Type 1 fonts with ids numbered per file. LibreOffice numbers them since its start, both in the clear part of the font
 * and in the encrypted one.
 */
export function countedFontIds({ objects: all }: PdfFile, objects: PdfObjects): readonly PdfObject[] {
  let id = firstId;
  return all.flatMap((font) => {
    const lengths = type1Lengths(font);
    const program = lengths === undefined ? undefined : inflatedStreamOf(font, objects, maxFontBytes);
    if (lengths === undefined || program === undefined || id > lastId) return [];
    const changed = withId(program, lengths, id++);
    return changed === undefined ? [] : withStream(font, deflateSync(changed), objects);
  });
}

interface Type1Lengths {
  readonly clear: number;
  readonly encrypted: number;
}

/** The parts of an embedded Type 1 font (ISO 32000-1, 9.9, table 127). */
function type1Lengths(object: PdfObject): Type1Lengths | undefined {
  if (!object.bytes.includes('/Length2 ')) return undefined;
  const dictionary = dictionaryOf(object);
  const [clear, encrypted] = [/\/Length1 (\d+)/, /\/Length2 (\d+)/].map((name) => Number(name.exec(dictionary)?.[1]));
  if (!(Number(clear) > 0) || !(Number(encrypted) > 0)) return undefined;
  return { clear: Number(clear), encrypted: Number(encrypted) };
}

/** Undefined if the length of the font differs from its dictionary. Ids keep their length. */
function withId(program: Buffer, { clear, encrypted }: Type1Lengths, id: number): Buffer | undefined {
  if (program.length < clear + encrypted) return undefined;
  const rewrite = (part: Buffer): Buffer => Buffer.from(part.toString('latin1').replace(uniqueId, `$1${id}`), 'latin1');
  const head = rewrite(program.subarray(0, clear));
  const body = encrypt(rewrite(decrypt(program.subarray(clear, clear + encrypted))));
  return Buffer.concat([head, body, program.subarray(clear + encrypted)]);
}

/** The encryption of Type 1 fonts (Adobe Type 1 Font Format, 7.1). */
const eexecKey = 55_665;
const nextKey = (key: number, cipher: number): number => ((cipher + key) * 52_845 + 22_719) & 0xffff;

function decrypt(cipher: Buffer): Buffer {
  let key = eexecKey;
  return cipher.map((byte) => {
    const plain = byte ^ (key >> 8);
    key = nextKey(key, byte);
    return plain;
  }) as Buffer;
}

function encrypt(plain: Buffer): Buffer {
  let key = eexecKey;
  return plain.map((byte) => {
    const cipher = byte ^ (key >> 8);
    key = nextKey(key, cipher);
    return cipher;
  }) as Buffer;
}
