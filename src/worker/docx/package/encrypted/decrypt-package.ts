import { createDecipheriv, hash, timingSafeEqual } from 'node:crypto';
import { attributeOf, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { CompoundFile } from './compound-file.ts';

/** The password of files that Office protects without asking for one (MS-OFFCRYPTO, 2.3.7.3 and 2.4.2.3). */
const defaultPassword = Buffer.from('VelvetSweatshop', 'utf16le');
/** Twice the count that Word writes; takes about half a second. */
const maxSpinCount = 200_000;
const segmentBytes = 4096;
const maxInfoBytes = 64 * 1024;

/**
 * Decrypts an Office file (MS-OFFCRYPTO) that has the default password, which Word opens without asking for one.
 * Undefined for a file that has its own password, uses another encryption or is damaged. Takes up to half a second, and
 * memory for two copies of the file.
 */
export function decryptPackage(file: Buffer): Buffer | undefined {
  try {
    const streams = new CompoundFile(file);
    const info = streams.stream('EncryptionInfo');
    if (info === undefined || info.length > maxInfoBytes) return undefined;
    const decrypt = readCipher(info);
    const encrypted = decrypt === undefined ? undefined : streams.stream('EncryptedPackage');
    if (decrypt === undefined || encrypted === undefined) return undefined;
    const sizeBytes = Number(encrypted.readBigUInt64LE(0));
    const content = decrypt(encrypted.subarray(8));
    return sizeBytes > content.length ? undefined : content.subarray(0, sizeBytes);
  } catch (error) {
    // The file's headers contradict its content.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}

type Decrypt = (encrypted: Buffer) => Buffer;

/** Decrypts the package; undefined if the default password is wrong or the encryption unknown. */
function readCipher(info: Buffer): Decrypt | undefined {
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 4 && minor === 4) return readAgile(info.toString('utf8', 8));
  return minor === 2 && major >= 2 && major <= 4 ? readStandard(info) : undefined;
}

const standardAlgorithms: Readonly<Record<number, 128 | 192 | 256>> = { 26126: 128, 26127: 192, 26128: 256 };
const standardSpinCount = 50_000;

/** Standard encryption: AES in ECB mode, SHA-1 (MS-OFFCRYPTO, 2.3.4.5 to 2.3.4.9). */
function readStandard(info: Buffer): Decrypt | undefined {
  const header = 12;
  const verifier = header + info.readUInt32LE(8);
  const keyBits = standardAlgorithms[info.readUInt32LE(header + 8)];
  if (keyBits === undefined) return undefined;
  const salt = info.subarray(verifier + 4, verifier + 20);
  const spun = spin('sha1', salt, standardSpinCount);
  const last = hash('sha1', Buffer.concat([spun, Buffer.alloc(4)]), 'buffer');
  const derived = (fill: number) => {
    const block = Buffer.alloc(64, fill);
    for (const [index, byte] of last.entries()) block[index] = byte ^ fill;
    return hash('sha1', block, 'buffer');
  };
  const key = Buffer.concat([derived(0x36), derived(0x5c)]).subarray(0, keyBits / 8);
  const decrypt = (encrypted: Buffer) => decipher(`aes-${keyBits}-ecb`, key, null, encrypted);
  const random = decrypt(info.subarray(verifier + 20, verifier + 36));
  const expected = decrypt(info.subarray(verifier + 40, verifier + 72)).subarray(0, last.length);
  if (!isEqual(hash('sha1', random, 'buffer'), expected)) return undefined;
  return (encrypted) => decrypt(encrypted.subarray(0, encrypted.length - (encrypted.length % 16)));
}

const hashNames: Readonly<Record<string, string>> = {
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
};
/** The block keys of MS-OFFCRYPTO, 2.3.4.13. */
const blockKeys = { input: 'fea7d2763b4b9e79', value: 'd7aa0f6d3061344e', key: '146e0be7abacd0d6' } as const;

interface AgileCipher {
  readonly algorithm: string;
  readonly hashName: string;
  readonly keyBytes: number;
  readonly salt: Buffer;
}

/** Agile encryption: AES in CBC mode, in segments (MS-OFFCRYPTO, 2.3.4.10 to 2.3.4.15). */
function readAgile(xml: string): Decrypt | undefined {
  const tags = new Map<string, XmlTag>();
  scanXmlTags(xml, (tag) => {
    if (tag.kind !== 'close' && !tags.has(tag.local)) tags.set(tag.local, tag);
  });
  const valueIn = (element: string, name: string) => {
    const tag = tags.get(element);
    return (tag && attributeOf(xml, tag, name)) ?? '';
  };
  const ofPackage = agileCipher((name) => valueIn('keyData', name));
  const ofKey = agileCipher((name) => valueIn('encryptedKey', name));
  const spinCount = Number(valueIn('encryptedKey', 'spinCount'));
  if (ofPackage === undefined || ofKey === undefined || !(spinCount >= 0 && spinCount <= maxSpinCount))
    return undefined;
  const spun = spin(ofKey.hashName, ofKey.salt, spinCount);
  const open = (name: string, blockKey: string) => {
    const derived = hash(ofKey.hashName, Buffer.concat([spun, Buffer.from(blockKey, 'hex')]), 'buffer');
    const encrypted = Buffer.from(valueIn('encryptedKey', name), 'base64');
    return decipher(ofKey.algorithm, padded(derived, ofKey.keyBytes), padded(ofKey.salt, 16), encrypted);
  };
  const input = open('encryptedVerifierHashInput', blockKeys.input).subarray(0, ofKey.salt.length);
  const expected = hash(ofKey.hashName, input, 'buffer');
  if (!isEqual(expected, open('encryptedVerifierHashValue', blockKeys.value).subarray(0, expected.length)))
    return undefined;
  const key = open('encryptedKeyValue', blockKeys.key).subarray(0, ofPackage.keyBytes);
  return (encrypted) => decryptSegments(ofPackage, key, encrypted);
}

function agileCipher(valueIn: (name: string) => string): AgileCipher | undefined {
  const keyBits = Number(valueIn('keyBits'));
  const hashName = hashNames[valueIn('hashAlgorithm').replace('-', '')];
  const isKnown = valueIn('cipherAlgorithm') === 'AES' && valueIn('cipherChaining') === 'ChainingModeCBC';
  if (!isKnown || hashName === undefined || ![128, 192, 256].includes(keyBits)) return undefined;
  const salt = Buffer.from(valueIn('saltValue'), 'base64');
  return { algorithm: `aes-${keyBits}-cbc`, hashName, keyBytes: keyBits / 8, salt };
}

function decryptSegments({ algorithm, hashName, salt }: AgileCipher, key: Buffer, encrypted: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 16 <= encrypted.length; at += segmentBytes) {
    const segment = encrypted.subarray(at, at + segmentBytes);
    const iv = padded(hash(hashName, Buffer.concat([salt, littleEndian(at / segmentBytes)]), 'buffer'), 16);
    pieces.push(decipher(algorithm, key, iv, segment.subarray(0, segment.length - (segment.length % 16))));
  }
  return Buffer.concat(pieces);
}

/** The hash of salt and password, hashed `count` times with a counter. */
function spin(hashName: string, salt: Buffer, count: number): Buffer {
  let spun = hash(hashName, Buffer.concat([salt, defaultPassword]), 'buffer');
  const round = Buffer.alloc(4 + spun.length);
  for (let i = 0; i < count; i++) {
    round.writeUInt32LE(i, 0);
    spun.copy(round, 4);
    spun = hash(hashName, round, 'buffer');
  }
  return spun;
}

function decipher(algorithm: string, key: Buffer, iv: Buffer | null, encrypted: Buffer): Buffer {
  const cipher = createDecipheriv(algorithm, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(encrypted), cipher.final()]);
}

function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length, 0x36)]).subarray(0, length);
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
