import { ChunkedString } from '../../http/end-of-string.ts';
import { locateJsonError } from '../../http/locate-json-error.ts';
import { batchLimits } from '../batch-limits.ts';
import { malformedStream } from './source-row.ts';

/** The JSON body with an empty list in place of the elements of `items`. */
export interface JsonEnvelope {
  /** Starts after this many bytes of the body, which are a byte order mark. */
  skip(sizeBytes: number): void;
  /** Reads a chunk from `from` to its end or past the `[` of `items`, and returns where it stopped. */
  feed(chunk: Buffer, from: number, position: number): number;
  isAtItems(): boolean;
  /** Continues after the elements, at the `]` with this offset in the body. */
  resume(offset: number): void;
  /** Throws when the text is incomplete. */
  finish(): void;
  value(): unknown;
}

/** The longest text of a key that may be `items`, with every character escaped. */
const maxKeyBytes = 200;

export function createJsonEnvelope(): JsonEnvelope {
  const finder = createItemsFinder();
  let text = Buffer.alloc(0);
  let isAtItems = false;
  let itemsAt = -1;
  let startsAt = 0;
  let skippedBytes = 0;
  let parsed: unknown;
  const toBodyOffset = (at: number): number => (itemsAt >= 0 && at > itemsAt ? at + skippedBytes : at + startsAt);
  return {
    skip(sizeBytes) {
      startsAt = sizeBytes;
    },
    feed(chunk, from, position) {
      const itemsBegin = finder.find(chunk, from);
      isAtItems = itemsBegin !== undefined;
      const end = itemsBegin ?? chunk.length;
      text = Buffer.concat([text, chunk.subarray(from, end)]);
      if (text.length > batchLimits.envelopeBytes) {
        throw malformedStream('has more than 1 MB outside its items', position + from);
      }
      if (isAtItems) {
        if (itemsAt >= 0) throw malformedStream('has items twice', position + end - 1);
        itemsAt = text.length - 1;
        const errorAt = locateJsonError(text);
        if (errorAt !== text.length) throw malformedStream('is not valid JSON', startsAt + (errorAt ?? 0));
      }
      return end;
    },
    isAtItems: () => isAtItems,
    resume(offset) {
      isAtItems = false;
      skippedBytes = offset - text.length;
    },
    finish() {
      const errorAt = locateJsonError(text);
      if (errorAt !== undefined) {
        const problem = errorAt === text.length ? 'ends too early' : 'is not valid JSON';
        throw malformedStream(problem, toBodyOffset(errorAt));
      }
      parsed = JSON.parse(text.toString('utf8'));
    },
    value: () => parsed,
  };
}

/** Tracks strings, nesting and the keys of the outermost object; `locateJsonError` validates the rest. */
function createItemsFinder() {
  const string = new ChunkedString();
  let depth = 0;
  let isInValue = false;
  let hasValueBegun = false;
  let key = Buffer.alloc(0);
  const isItemsKey = (): boolean => {
    try {
      return JSON.parse(key.toString('utf8')) === 'items';
    } catch {
      return false;
    }
  };
  const skipString = (chunk: Buffer, from: number): number => {
    const end = string.skip(chunk, from);
    if (depth === 1 && !isInValue) key = Buffer.concat([key, chunk.subarray(from, end + 1)]).subarray(0, maxKeyBytes);
    return end;
  };
  const readOutside = (byte: number): boolean => {
    const beginsValue = depth === 1 && isInValue && !hasValueBegun;
    if (byte > 0x20) hasValueBegun = true;
    if (byte === 0x22) {
      string.open();
      if (depth === 1 && !isInValue) key = Buffer.from([byte]);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      return byte === 0x5b && beginsValue && isItemsKey();
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (depth === 1 && byte === 0x3a) {
      isInValue = true;
      hasValueBegun = false;
    } else if (depth === 1 && byte === 0x2c) isInValue = false;
    return false;
  };
  return {
    /** The index after the `[` of the outermost object's `items`, if it is in the chunk at `from` or later. */
    find(chunk: Buffer, from: number): number | undefined {
      for (let i = from; i < chunk.length; i++) {
        if (string.isOpen) i = skipString(chunk, i);
        else if (readOutside(chunk[i] ?? 0)) return i + 1;
      }
      return undefined;
    },
  };
}
