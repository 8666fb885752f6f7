import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileNamer } from '../../../src/shared/domain/batches/file-names.ts';
import { planVolumes } from '../../../src/worker/bundles/plan-volumes.ts';

function namesOf(filenames: readonly string[]): string[] {
  const nameOf = createFileNamer();
  return filenames.map((filename, index) => nameOf({ row: index + 1, filename, format: 'pdf' }));
}

describe('names in a bundle', () => {
  it('are unique even on file systems that ignore case and the encoding of accents', () => {
    const names = ['a.pdf', 'A-2.pdf', 'a-2-3.pdf', 'a-4.pdf', 'é.pdf', 'e\u0301-6.pdf'];
    expect(namesOf(['a', 'A.pdf', 'a-2', 'a', 'é', 'e\u0301'])).toEqual(names);
  });

  it('contain no path', () => {
    const hostile = ['../../x', 'C:\\windows\\y', '/', '...', '\u202egpj.exe', 'a\u0000b', 'manifest.csv'];
    expect(namesOf(hostile)).toEqual([
      'x.pdf',
      'y.pdf',
      'document.pdf',
      'document-4.pdf',
      'gpj.exe.pdf',
      'ab.pdf',
      'manifest.csv.pdf',
    ]);
  });

  it('are unique per row and always the same, whatever the rows are called', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a-2', 'a-3-2')), { maxLength: 60 }),
        (all) => {
          const names = namesOf(all);
          expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(all.length);
          for (const name of names) expect(name).toMatch(/^[^/\\\p{Cc}.][^/\\\p{Cc}]*\.pdf$/u);
          expect(namesOf(all)).toEqual(names);
        },
      ),
    );
  });
});

describe('volumes', () => {
  const plan = (sizes: readonly (number | null)[], limits: { documents: number; sizeBytes: number }) =>
    planVolumes(
      (async function* () {
        for (const [index, size] of sizes.entries()) {
          const status = size === null ? ('failed' as const) : ('succeeded' as const);
          yield { row: index + 1, status, sizeBytes: size ?? undefined };
        }
      })(),
      limits,
    );

  it('are limited in number and size, and a large document has a volume of its own', async () => {
    const ranges = await plan([1, 1, null, 1, 9, 50, 4, 6, 1], { documents: 3, sizeBytes: 10 });
    expect(ranges.map(({ firstRow, lastRow }) => [firstRow, lastRow])).toEqual([
      [1, 4],
      [5, 5],
      [6, 6],
      [7, 8],
      [9, 9],
    ]);
  });

  it('are not created when no document succeeded', async () => {
    expect(await plan([null, null], { documents: 3, sizeBytes: 10 })).toEqual([]);
  });
});
