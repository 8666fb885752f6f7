import { ChunkedString } from '../../http/end-of-string.ts';
import { isSpace, locateJsonError } from '../../http/locate-json-error.ts';
import { withoutBom } from '../../http/parse-json.ts';
import { batchLimits } from '../batch-limits.ts';
import { createJsonEnvelope } from './json-envelope.ts';
import { parseItem, type RowText, rowTooLong } from './parse-row.ts';
import { type BatchSource, malformedStream, type SourceRow } from './source-row.ts';

/**
 * Rows of `application/json`: the elements of the outermost object's `items`, as they arrive. The scanner only
 * counts brackets; JSON.parse reads each complete element, whose `data` is kept byte for byte.
 */
export function readJsonItems(chunks: AsyncIterable<Buffer>): BatchSource {
  const envelope = createJsonEnvelope();
  async function* toRows(): AsyncGenerator<SourceRow> {
    let items: ItemScanner | undefined;
    let position = 0;
    for await (const sent of chunks) {
      // A first chunk always holds the whole mark: chunks never split a character.
      const chunk = position === 0 ? withoutBom(sent) : sent;
      if (position === 0) {
        position = sent.length - chunk.length;
        envelope.skip(position);
      }
      for (let from = 0; from < chunk.length; ) {
        if (items === undefined) {
          from = envelope.feed(chunk, from, position);
          if (envelope.isAtItems()) items = createItemScanner(position + from);
          continue;
        }
        const item = items.next(chunk, from, position);
        from = item.end;
        if (item.row !== undefined) yield parseItem(item.row);
        if (item.isLast) {
          envelope.resume(position + from);
          items = undefined;
        }
      }
      items?.compact();
      position += chunk.length;
    }
    if (items !== undefined) throw items.cutOff(position);
    envelope.finish();
  }
  return { rows: toRows(), envelope: envelope.value };
}

interface ItemScanner {
  /**
   * Reads to the end of an element, of the list, or of the chunk. `position` is the offset of the chunk in the body.
   */
  next(chunk: Buffer, from: number, position: number): { row?: RowText; end: number; isLast: boolean };
  /** Joins the pieces of an unfinished element when there are many. */
  compact(): void;
  /** Returns the error for a body that ends within the list. */
  cutOff(end: number): Error;
}

function createItemScanner(begin: number): ItemScanner {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  let offset = begin;
  let depth = 0;
  const string = new ChunkedString();
  let isFirst = true;
  const append = (piece: Buffer): void => {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes > batchLimits.rowBytes) throw rowTooLong(Buffer.concat(pieces), offset);
  };
  const finish = (end: number, isLast: boolean): RowText | undefined => {
    if (sizeBytes === 0) {
      if (isLast && isFirst) return undefined;
      throw malformedStream('is not valid JSON', end);
    }
    const row = { bytes: Buffer.concat(pieces), offset };
    pieces = [];
    sizeBytes = 0;
    isFirst = false;
    return row;
  };
  /** Brackets are counted, not matched, so the first error may be before the one detected at `at`. */
  const invalidJson = (rest: Buffer, at: number): Error => {
    const errorAt = locateJsonError(Buffer.concat([...pieces, rest]));
    return malformedStream('is not valid JSON', errorAt === undefined ? at : Math.min(at, offset + errorAt));
  };
  return {
    next(chunk, from, position) {
      let start = sizeBytes > 0 ? from : -1;
      for (let i = from; i < chunk.length; i++) {
        const byte = chunk[i] ?? 0;
        if (string.isOpen) {
          i = string.skip(chunk, i);
          continue;
        }
        const isEnd = depth === 0 && (byte === 0x2c || byte === 0x5d);
        if (isEnd) {
          if (start >= 0) append(chunk.subarray(start, i));
          const isLast = byte === 0x5d;
          const row = finish(position + i, isLast);
          // The closing bracket belongs to the envelope.
          return { ...(row !== undefined && { row }), end: isLast ? i : i + 1, isLast };
        }
        if (start < 0) {
          if (isSpace(byte)) continue;
          start = i;
          offset = position + i;
        }
        if (byte === 0x22) string.open();
        else if (byte === 0x7b || byte === 0x5b) depth += 1;
        else if (byte === 0x7d || byte === 0x5d) {
          if (depth === 0) throw invalidJson(chunk.subarray(start, i), position + i);
          depth -= 1;
        }
      }
      if (start >= 0) append(chunk.subarray(start));
      return { end: chunk.length, isLast: false };
    },
    compact() {
      if (pieces.length > 64) pieces = [Buffer.concat(pieces)];
    },
    cutOff(end) {
      const errorAt = locateJsonError(Buffer.concat(pieces));
      const isInvalid = sizeBytes > 0 && errorAt !== undefined && errorAt < sizeBytes;
      return malformedStream(isInvalid ? 'is not valid JSON' : 'ends too early', isInvalid ? offset + errorAt : end);
    },
  };
}
