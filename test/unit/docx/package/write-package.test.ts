import fc from 'fast-check';
import PizZip from 'pizzip';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors.ts';
import { type DocxPackage, openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../../../src/worker/docx/package/overlay-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { buildDocx, buildZip, docxParts, paragraph } from '../../../support/documents/docx-builder.ts';
import { volume } from '../../../support/extended.ts';
import { always } from '../../../support/properties.ts';

const none = new Map<string, Uint8Array | null>();
const main = 'word/document.xml';

/** Changed parts; null removes one. */
const changed = (parts: Readonly<Record<string, string | Buffer | null>>) =>
  new Map(Object.entries(parts).map(([name, content]) => [name, content === null ? null : Buffer.from(content)]));

function contents(bytes: Uint8Array): Record<string, string> {
  const docx = openPackage(bytes);
  return Object.fromEntries(docx.partNames.map((name) => [name, docx.read(name)?.toString('latin1') ?? '']));
}

describe('writePackage', () => {
  const source = openPackage(
    buildDocx({ headers: [paragraph('Head')], parts: { 'word/media/a.png': Buffer.alloc(900, 7) } }),
  );

  it('changes, adds and removes parts and keeps all others', () => {
    const text = source.readText(main)?.replace('Hello', 'Guten Tag') ?? '';
    const changes = changed({ [main]: text, 'word/new.bin': 'new', 'WORD/header1.xml': null });
    const written = openPackage(writePackage(source, changes));
    expect(written.readText(main)).toContain('Guten Tag');
    expect(written.read('word/new.bin')?.toString()).toBe('new');
    expect(written.partNames).not.toContain('word/header1.xml');
    expect(written.read('word/styles.xml')).toEqual(source.read('word/styles.xml'));
    expect(written.entry('word/styles.xml')?.data).toEqual(source.entry('word/styles.xml')?.data);
  });

  it('refuses more parts than an archive can count', () => {
    const parts = Array.from({ length: 65_001 }, (_, i) => [`word/header-${i}.xml`, Buffer.alloc(0)] as const);
    const written = () => writePackage(source, new Map(parts), { compression: 'store' });
    expect(written).toThrow(expect.objectContaining({ code: 'render_limit' }));
  });

  it('keeps the name and position of a part that is changed under a name in another case', () => {
    const written = openPackage(writePackage(source, new Map([['WORD/DOCUMENT.XML', source.read(main) ?? null]])));
    expect(written.partNames).toEqual(source.partNames);
  });

  it('writes the content types first, wherever they were before', () => {
    const parts = [...docxParts()].reverse();
    const written = writePackage(openPackage(buildZip(new Map(parts))), none);
    expect(openPackage(written).partNames[0]).toBe('[Content_Types].xml');
    expect(written.toString('latin1', 30, 49)).toBe('[Content_Types].xml');
  });

  it('is deterministic', () => {
    const changes = new Map([[main, Buffer.from('<x/>')]]);
    expect(writePackage(source, changes)).toEqual(writePackage(source, changes));
  });

  it('stores changed parts uncompressed on request, and parts that compression would enlarge', () => {
    const random = Buffer.from(Array.from({ length: 256 }, (_, i) => (i * 167 + 13) % 256));
    const changes = changed({ [main]: '<x/>'.repeat(100), 'word/r.bin': random });
    const stored = Object.fromEntries(readMethods(writePackage(source, changes, { compression: 'store' })));
    const deflated = Object.fromEntries(readMethods(writePackage(source, changes)));
    expect([stored[main], stored['word/r.bin'], stored['word/styles.xml']]).toEqual([0, 0, 8]);
    expect([deflated[main], deflated['word/r.bin'], deflated['word/styles.xml']]).toEqual([8, 0, 8]);
  });

  it('normalizes what other readers may read differently', () => {
    const written = writePackage(openPackage(Buffer.concat([buildDocx(), Buffer.from('\r\ntrailing')])), none);
    expect(written.includes('trailing')).toBe(false);
    expect(new PizZip(written).file(main)?.asText()).toContain('Hello');
  });
});

describe('overlayPackage', () => {
  const source = openPackage(buildDocx({ headers: [paragraph('Head')] }));
  const changes = changed({
    'Word/Document.xml': '<x>changed</x>',
    'word/new.xml': '\ufeff<y/>',
    'word/header1.xml': null,
  });

  it('reads the same as the written package', () => {
    const overlay = overlayPackage(source, changes);
    const written = openPackage(writePackage(source, changes));
    const namesOf = ({ partNames }: DocxPackage) => partNames.map((name) => name.toLowerCase()).sort();
    expect(namesOf(overlay)).toEqual(namesOf(written));
    for (const name of overlay.partNames) {
      expect(overlay.read(name)).toEqual(written.read(name));
      expect(overlay.readHead(name, 4)).toEqual(written.readHead(name, 4));
      expect(overlay.contentType(name)).toBe(written.contentType(name));
    }
    expect(overlay.readText('word/new.xml')).toBe('<y/>');
    expect(overlay.read('word/header1.xml')).toBeUndefined();
    expect(contents(writePackage(overlay, none))).toEqual(contents(writePackage(source, changes)));
  });

  it('includes changed content types', () => {
    const types = source.readText('[Content_Types].xml')?.replace('image/png', 'image/x') ?? '';
    expect(overlayPackage(source, changed({ '[Content_Types].xml': types })).contentType('a.png')).toBe('image/x');
  });
});

describe('any package', () => {
  const partName = fc.stringMatching(/^[a-z]{1,8}(?:\/[a-z]{1,8}){0,2}\.(?:bin|png)$/);
  const parts = fc.dictionary(partName, fc.uint8Array({ maxLength: 300 }), { maxKeys: 8 });

  it('has the same parts after writing and opening it again', () => {
    always(volume(30, 150), [parts, fc.constantFrom('deflate' as const, 'store' as const)], (added, compression) => {
      const source = openPackage(buildDocx({ parts: added, compression }));
      const rewritten = writePackage(source, none);
      expect(contents(rewritten)).toEqual(contents(buildDocx({ parts: added })));
      const viaChanges = writePackage(openPackage(buildDocx()), new Map(Object.entries(added)), { compression });
      expect(contents(viaChanges)).toEqual(contents(rewritten));
    });
  });

  it('opens or is refused if bytes are damaged, and never fails in another way', () => {
    const bytes = buildDocx({ headers: [paragraph('Head')], parts: { 'word/media/a.svg': '<svg/>' } });
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    always(volume(200, 2_500), [damage, fc.nat(bytes.length), fc.boolean()], (changes, cut, isCut) => {
      const copy = Buffer.from(isCut ? bytes.subarray(0, cut) : bytes);
      for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
      expectOpenedOrRefused(copy);
    });
  });

  it('is refused if its bytes are random', () => {
    const starts = fc.constantFrom('', 'PK\u0003\u0004', 'PK\u0005\u0006');
    always(volume(200, 1_500), [fc.uint8Array({ maxLength: 600 }), starts], (bytes, start) => {
      expect(expectOpenedOrRefused(Buffer.concat([Buffer.from(start), bytes]))).toBe('refused');
    });
  });
});

function expectOpenedOrRefused(bytes: Buffer): 'opened' | 'refused' {
  try {
    validatePackage(openPackage(bytes));
    return 'opened';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('template_invalid');
    expect(error.details?.length).toBeGreaterThan(0);
    return 'refused';
  }
}

function readMethods(bytes: Buffer): [string, number | undefined][] {
  const docx = openPackage(bytes);
  return docx.partNames.map((name) => [name, docx.entry(name)?.method]);
}
