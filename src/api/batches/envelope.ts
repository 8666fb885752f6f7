import { batchLimits } from './batch-limits.ts';
import { locateJsonFault } from './locate-json-fault.ts';
import { malformedStream } from './malformed-stream.ts';

/** What stands around the elements of `items`: a small JSON text with an empty list in their place. */
export interface Envelope {
  /** Reads a chunk from `from` on, to its end or to the `[` of `items`; answers where it stopped. */
  feed(chunk: Buffer, from: number, position: number): number;
  isAtItems(): boolean;
  /** Goes on behind the elements, with the `]`, at this byte of the body. */
  resume(offset: number): void;
  /** Throws when the text is not whole. */
  finish(): void;
  value(): unknown;
}

interface Outline {
  /** Is this byte the `[` of the outermost object's `items`? */
  step(byte: number): boolean;
}

export function createEnvelope(): Envelope {
  const outline = createOutline();
  let text = Buffer.alloc(0);
  let isAtItems = false;
  let itemsAt = -1;
  let skippedBytes = 0;
  let parsed: unknown;
  const toOffset = (at: number): number => (itemsAt >= 0 && at > itemsAt ? at + skippedBytes : at);
  return {
    feed(chunk, from, position) {
      let end = from;
      while (end < chunk.length && !isAtItems) {
        isAtItems = outline.step(chunk[end] ?? 0);
        end += 1;
      }
      text = Buffer.concat([text, chunk.subarray(from, end)]);
      if (text.length > batchLimits.envelopeBytes) {
        throw malformedStream('says more than 1 MB beside its items', position + from);
      }
      if (isAtItems) {
        if (itemsAt >= 0) throw malformedStream('has items twice', position + end - 1);
        itemsAt = text.length - 1;
        const fault = locateJsonFault(text);
        if (fault !== text.length) throw malformedStream('is not valid JSON', fault ?? 0);
      }
      return end;
    },
    isAtItems: () => isAtItems,
    resume(offset) {
      isAtItems = false;
      skippedBytes = offset - text.length;
    },
    finish() {
      const fault = locateJsonFault(text);
      if (fault !== undefined) {
        throw malformedStream(fault === text.length ? 'ends too early' : 'is not valid JSON', toOffset(fault));
      }
      parsed = JSON.parse(text.toString('utf8'));
    },
    value: () => parsed,
  };
}

function createOutline(): Outline {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isInValue = false;
  let isValueBegun = false;
  let key: number[] = [];
  const isItems = (): boolean => {
    try {
      return JSON.parse(Buffer.from(key).toString('utf8')) === 'items';
    } catch {
      return false;
    }
  };
  const stepInString = (byte: number): void => {
    if (depth === 1 && !isInValue && key.length < 200) key.push(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === 0x5c) isEscaped = true;
    else if (byte === 0x22) isInString = false;
  };
  const stepOutside = (byte: number): boolean => {
    const isFirst = depth === 1 && isInValue && !isValueBegun;
    if (byte > 0x20) isValueBegun = true;
    if (byte === 0x22) {
      isInString = true;
      if (depth === 1 && !isInValue) key = [byte];
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      return byte === 0x5b && isFirst && isItems();
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (depth === 1 && byte === 0x3a) {
      isInValue = true;
      isValueBegun = false;
    } else if (depth === 1 && byte === 0x2c) isInValue = false;
    return false;
  };
  return {
    step(byte) {
      if (!isInString) return stepOutside(byte);
      stepInString(byte);
      return false;
    },
  };
}
