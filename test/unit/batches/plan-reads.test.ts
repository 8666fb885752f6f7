import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PlannedRow, planReads } from '../../../src/worker/batches/plan-reads.ts';

const row = (documentId: string, dataOffset: number, dataBytes: number, inputKey = 'input'): PlannedRow => ({
  documentId,
  batchId: 'bat',
  dataOffset,
  dataBytes,
  attempts: 0,
  dispatchedAt: new Date(0),
  inputKey,
});

it('adjacent rows are read together; rows that are far away or belong to other batches are not', () => {
  const rows = [row('b', 101, 100), row('a', 0, 100), row('c', 0, 50, 'other'), row('d', 1_000_000, 10)];
  expect(planReads(rows, 4_096)).toMatchObject([
    { inputKey: 'input', offset: 0, sizeBytes: 201, rows: [{ documentId: 'a' }, { documentId: 'b' }] },
    { inputKey: 'input', offset: 1_000_000, sizeBytes: 10, rows: [{ documentId: 'd' }] },
    { inputKey: 'other', offset: 0, sizeBytes: 50, rows: [{ documentId: 'c' }] },
  ]);
});

it('a read exceeds the limit only for a single large row, and each row is read once', () => {
  const sizes = fc.array(fc.record({ gap: fc.nat(100_000), size: fc.integer({ min: 2, max: 5_000 }) }), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 10_000 }), (pieces, maxReadBytes) => {
      let end = 0;
      const rows = pieces.map(({ gap, size }, index) => {
        const offset = end + gap;
        end = offset + size;
        return row(`${index}`, offset, size);
      });
      const reads = planReads(rows.toReversed(), maxReadBytes);
      expect(reads.flatMap((read) => read.rows)).toEqual(rows);
      for (const read of reads) {
        expect(read.rows.length === 1 || read.sizeBytes <= maxReadBytes).toBe(true);
        for (const { dataOffset, dataBytes } of read.rows) {
          expect(dataOffset).toBeGreaterThanOrEqual(read.offset);
          expect(dataOffset + dataBytes).toBeLessThanOrEqual(read.offset + read.sizeBytes);
        }
      }
    }),
  );
});
