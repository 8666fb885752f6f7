import { listPlaces, listStoredInputs, type RowPlace } from '../../shared/domain/erasure/batch-places.ts';
import { privateRowsKey } from '../batches/private-rows.ts';
import { readNdjson } from '../batches/sources/read-ndjson.ts';
import type { Stores } from './stores.ts';

/**
 * Finds the documents whose rows in stored batches have data or an e-mail that matches `isWanted`. Holds one row at a
 * time in memory.
 */
export async function* findRows(
  { db, objects }: Pick<Stores, 'db' | 'objects'>,
  isWanted: (value: unknown) => boolean,
  accountId: string | undefined,
): AsyncGenerator<string> {
  for await (const { id, inputKey } of listStoredInputs(db, accountId)) {
    const emails = await objects.getStream(privateRowsKey(inputKey));
    const mailed = emails === undefined ? new Set<number>() : await findMailed(emails, isWanted);
    const input = await objects.getStream(inputKey);
    const rows = cut(input ?? (async function* (): AsyncGenerator<Buffer> {})(), listPlaces(db, id));
    for await (const { row, documentId, data } of rows)
      if (mailed.has(row) || (data !== undefined && isWanted(parse(data)))) yield documentId;
  }
}

async function findMailed(
  stored: AsyncIterable<Buffer>,
  isWanted: (value: unknown) => boolean,
): Promise<ReadonlySet<number>> {
  const rows = new Set<number>();
  for await (const line of readNdjson(stored).rows) {
    if ('problem' in line) throw new Error('a stored row is damaged');
    const { row } = line.value as { readonly row: number };
    if (isWanted(line.value)) rows.add(row);
  }
  return rows;
}

/** Yields each place with its bytes, in stream order; undefined where the stream has none. */
export async function* cut(
  stream: AsyncIterable<Buffer>,
  places: AsyncIterable<RowPlace>,
): AsyncGenerator<RowPlace & { readonly data: Buffer | undefined }> {
  const chunks = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  let isAtEnd = false;
  for await (const place of places) {
    if (place.bytes === 0) {
      yield { ...place, data: undefined };
      continue;
    }
    const end = place.offset + place.bytes;
    while (!isAtEnd && start + held.length < end) {
      const next = await chunks.next();
      if (next.done === true) {
        isAtEnd = true;
        break;
      }
      // Bytes before the place are no longer needed.
      const skipped = Math.min(held.length, Math.max(0, place.offset - start));
      held = Buffer.concat([held.subarray(skipped), next.value]);
      start += skipped;
    }
    const data = held.subarray(Math.max(0, place.offset - start), Math.max(0, end - start));
    yield { ...place, data: data.length === place.bytes ? data : undefined };
  }
}

function parse(data: Buffer): unknown {
  const text = data.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
