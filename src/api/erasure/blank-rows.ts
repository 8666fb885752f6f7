import { whileLocked } from '../../shared/db/while-locked.ts';
import type { BatchPart } from '../../shared/domain/erasure/stop-documents.ts';
import { AppError } from '../../shared/errors.ts';
import { privateRowsKey } from '../batches/private-rows.ts';
import { readNdjson } from '../batches/sources/read-ndjson.ts';
import type { Stores } from './stores.ts';

const ndjsonType = 'application/x-ndjson';
const waitMs = 60_000;

interface Place {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Replaces rows of a batch's input by empty objects of the same length, so that the offsets of the other rows stay
 * valid, and removes their passwords and e-mails. Only one process may run at a time: otherwise one would write back
 * what the other has erased.
 */
export async function blankRows(stores: Stores, { batchId, inputKey, rows }: BatchPart): Promise<void> {
  const { db, objects } = stores;
  const isDone = await whileLocked(db, `erasure of ${batchId}`, waitMs, async () => {
    const input = await objects.getStream(inputKey);
    if (input !== undefined) await objects.putStream(inputKey, blanked(input, rows), ndjsonType);
    const key = privateRowsKey(inputKey);
    const stored = await objects.getStream(key);
    if (stored !== undefined)
      await objects.putStream(key, without(stored, new Set(rows.map(({ row }) => row))), ndjsonType);
  });
  if (!isDone)
    throw new AppError('unavailable', `Another erasure is changing batch ${batchId}. Run the command again later.`);
}

/** Replaces each of `places`, which are ordered by offset, with `{}` and spaces. */
export async function* blanked(stream: AsyncIterable<Buffer>, places: readonly Place[]): AsyncGenerator<Buffer> {
  const sorted = places.filter(({ bytes }) => bytes > 0).toSorted((a, b) => a.offset - b.offset);
  let start = 0;
  let next = 0;
  for await (const chunk of stream) {
    const copy = Buffer.from(chunk);
    const end = start + copy.length;
    for (let index = next; index < sorted.length; index++) {
      const { offset, bytes } = sorted[index] as Place;
      if (offset >= end) break;
      const from = Math.max(offset, start) - start;
      const to = Math.min(offset + bytes, end) - start;
      copy.fill(' ', from, to);
      for (const [position, brace] of [
        [offset, '{'],
        [offset + bytes - 1, '}'],
      ] as const)
        if (position >= start && position < end) copy.write(brace, position - start, 'latin1');
      if (offset + bytes <= end) next = index + 1;
    }
    start = end;
    yield copy;
  }
}

async function* without(stream: AsyncIterable<Buffer>, rows: ReadonlySet<number>): AsyncGenerator<Buffer> {
  for await (const line of readNdjson(stream).rows) {
    if ('problem' in line) throw new Error('a stored row is damaged');
    const { row } = line.value as { readonly row: number };
    if (!rows.has(row)) yield Buffer.from(`${JSON.stringify(line.value)}\n`);
  }
}
