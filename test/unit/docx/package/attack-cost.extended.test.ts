import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx, docxParts } from '../../../support/documents/docx-builder.ts';
import { type RawEntry, rawEntries, rawZip } from './raw-zip.ts';

interface Cost {
  readonly name: string;
  readonly grownMb: number;
  readonly message: string;
}

const plain = rawEntries(docxParts());
const packed = deflateRawSync(Buffer.alloc(200_000_000, 0x20), { level: 1 });
const half = { content: Buffer.alloc(49_000_000, 0x20), method: 0 };
const inBody = (xml: string) => buildDocx({ parts: { 'word/document.xml': xml } });
const withMain = (change: Partial<RawEntry>) =>
  rawZip(plain.map((entry) => (entry.name === 'word/document.xml' ? { ...entry, ...change } : entry)));
const many = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join('');
const namespaces = many(250, (i) => `<a xmlns:x${i}="u">`);

const attacks: Readonly<Record<string, readonly [file: () => Uint8Array, message: RegExp]>> = {
  'bomb in the body': [() => withMain({ packed, sizeBytes: 200_000_000 }), /more than 50 MB/],
  'bomb that understates itself': [() => withMain({ packed, sizeBytes: 49_000_000 }), /more than the file says/],
  'bomb in a picture': [
    () => rawZip([...plain, { name: 'word/media/a.png', packed, sizeBytes: 49_999_999 }]),
    /more than the file says/,
  ],
  'two parts just within the limits': [
    () => rawZip([...plain, { name: 'a.xml', ...half }, { name: 'b.xml', ...half }]),
    /not well-formed/,
  ],
  'gzip bomb': [
    () => buildDocx({ parts: { 'word/media/a.emz': gzipSync(Buffer.alloc(400_000_000)) } }),
    /more than a part may hold/,
  ],
  'two million elements too many': [() => inBody(`<d>${'<a/>'.repeat(4_000_000)}</d>`), /more XML elements/],
  'millions of attributes': [
    () => inBody(`<d>${'<a b="" c="" d="" e=""/>'.repeat(1_900_000)}</d>`),
    /more XML attributes/,
  ],
  'a huge element': [() => inBody(`<d ${many(1_000_000, (i) => ` a${i}=""`)}/>`), /more XML attributes/],
  'a huge name': [() => inBody(`<${'a'.repeat(15_000_000)}/>`), /main part is not a Word document/],
  'namespaces looked up through 250 levels': [
    () => inBody(`<q:d xmlns:q="u">${namespaces}${'<q:a/>'.repeat(1_900_000)}${'</a>'.repeat(250)}</q:d>`),
    /main part is not a Word document/,
  ],
  'unclosed elements': [() => inBody('<a>'.repeat(5_000_000)), /more than 256 deep/],
  '60 000 entries': [
    () => rawZip(Array.from({ length: 60_000 }, (_, i) => ({ name: `f${i}`, method: 0 }))),
    /at most 2000/,
  ],
};

describe('the cost of checking an attack', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attack-cost-'));
    for (const [name, [file]] of Object.entries(attacks)) await writeFile(join(folder, name), file());
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is less than 300 MB of memory for each file when one process checks them all', async () => {
    const script = fileURLToPath(new URL('./measure-attacks.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, folder]);
    const costs = JSON.parse(stdout) as Cost[];
    expect(costs.map(({ name }) => name).sort()).toEqual(Object.keys(attacks).sort());
    for (const { name, grownMb, message } of costs) {
      expect.soft(message, name).toMatch(attacks[name]?.[1] ?? /^$/);
      expect.soft(grownMb, name).toBeLessThan(300);
    }
  }, 60_000);
});
