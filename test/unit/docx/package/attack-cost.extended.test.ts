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
  readonly cpuMs: number;
  readonly grownMb: number;
  readonly message: string;
}

const plain = rawEntries(docxParts());
const bomb = () => deflateRawSync(Buffer.alloc(200_000_000, 0x20), { level: 1 });
const inBody = (xml: string) => buildDocx({ parts: { 'word/document.xml': xml } });

function attacks(): Record<string, Uint8Array> {
  const packed = bomb();
  const withMain = (change: Partial<RawEntry>) =>
    rawZip(plain.map((entry) => (entry.name === 'word/document.xml' ? { ...entry, ...change } : entry)));
  const half = Buffer.alloc(49_000_000, 0x20);
  return {
    'bomb in the body': withMain({ packed, sizeBytes: 200_000_000 }),
    'bomb that understates itself': withMain({ packed, sizeBytes: 49_000_000, compressedBytes: packed.length }),
    'bomb in a picture': rawZip([...plain, { name: 'word/media/a.png', packed, sizeBytes: 49_999_999 }]),
    'two parts just within the limits': rawZip([
      ...plain,
      { name: 'a.xml', content: half, method: 0 },
      { name: 'b.xml', content: half, method: 0 },
    ]),
    'gzip bomb': buildDocx({ parts: { 'word/media/a.emz': gzipSync(Buffer.alloc(400_000_000)) } }),
    'two million elements too many': inBody(`<d>${'<a/>'.repeat(4_000_000)}</d>`),
    'millions of attributes': inBody(`<d>${'<a b="" c="" d="" e=""/>'.repeat(1_900_000)}</d>`),
    'a huge element': inBody(`<d ${Array.from({ length: 1_000_000 }, (_, i) => `a${i}=""`).join(' ')}/>`),
    'a huge name': inBody(`<${'a'.repeat(15_000_000)}/>`),
    'namespaces looked up through 250 levels': inBody(
      `<q:d xmlns:q="u">${Array.from({ length: 250 }, (_, i) => `<a xmlns:x${i}="u">`).join('')}${'<q:a/>'.repeat(1_900_000)}${'</a>'.repeat(250)}</q:d>`,
    ),
    'unclosed elements': inBody('<a>'.repeat(5_000_000)),
    '60 000 entries': rawZip(Array.from({ length: 60_000 }, (_, i) => ({ name: `f${i}`, method: 0 }))),
  };
}

const expected: Readonly<Record<string, RegExp>> = {
  'bomb in the body': /more than 50 MB/,
  'bomb that understates itself': /more than the file says/,
  'bomb in a picture': /more than the file says/,
  'two parts just within the limits': /not well-formed/,
  'gzip bomb': /more than a part may hold/,
  'two million elements too many': /more XML elements/,
  'millions of attributes': /more XML attributes/,
  'a huge element': /more XML attributes/,
  'a huge name': /main part is not a Word document/,
  'namespaces looked up through 250 levels': /main part is not a Word document/,
  'unclosed elements': /more than 256 deep/,
  '60 000 entries': /at most 2000/,
};

describe('the cost of checking an attack', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attack-cost-'));
    for (const [name, bytes] of Object.entries(attacks())) await writeFile(join(folder, name), bytes);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is less than 5 s and 300 MB for each file, in one process that checks them all', async () => {
    const script = fileURLToPath(new URL('./measure-attacks.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, folder]);
    const costs = JSON.parse(stdout) as Cost[];
    expect(costs.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
    for (const { name, cpuMs, grownMb, message } of costs) {
      expect.soft(message, name).toMatch(expected[name] ?? /^$/);
      expect.soft(cpuMs, name).toBeLessThan(5000);
      expect.soft(grownMb, name).toBeLessThan(300);
    }
  }, 60_000);
});
