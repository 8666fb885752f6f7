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

interface ItemsFinder {
  /** True when this byte is the `[` of the outermost object's `items`. */
  read(byte: number): boolean;
}

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
      let end = from;
      while (end < chunk.length && !isAtItems) {
        isAtItems = finder.read(chunk[end] ?? 0);
        end += 1;
      }
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
function createItemsFinder(): ItemsFinder {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isInValue = false;
  let hasValueBegun = false;
  let key: number[] = [];
  const isItemsKey = (): boolean => {
    try {
      return JSON.parse(Buffer.from(key).toString('utf8')) === 'items';
    } catch {
      return false;
    }
  };
  const readInString = (byte: number): void => {
    if (depth === 1 && !isInValue && key.length < 200) key.push(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === 0x5c) isEscaped = true;
    else if (byte === 0x22) isInString = false;
  };
  const readOutside = (byte: number): boolean => {
    const beginsValue = depth === 1 && isInValue && !hasValueBegun;
    if (byte > 0x20) hasValueBegun = true;
    if (byte === 0x22) {
      isInString = true;
      if (depth === 1 && !isInValue) key = [byte];
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
    read(byte) {
      if (!isInString) return readOutside(byte);
      readInString(byte);
      return false;
    },
  };
}
