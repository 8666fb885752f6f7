import { endOfString } from './end-of-string.ts';

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;

export interface JsonOutline {
  readonly depth: number;
  /** The bytes of each value of the outermost object; for a repeated key the last one, as in JSON.parse. */
  readonly members: ReadonlyMap<string, Buffer>;
}

/**
 * Finds the depth of a JSON text and the values of its outermost object in one pass. Does not validate: run JSON.parse
 * too. Stops with the depth reached when the text nests deeper than `maxDepth`.
 */
export function scanJson(text: Buffer, maxDepth: number): JsonOutline {
  const members = new Map<string, Buffer>();
  let deepest = 0;
  let depth = 0;
  let key = '';
  let stringStart = 0;
  let valueStart = -1;
  const endValue = (end: number): void => {
    if (valueStart >= 0) members.set(key, text.subarray(valueStart, end));
    valueStart = -1;
  };
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === quote) {
      stringStart = i;
      const end = endOfString(text, i + 1);
      i = end < 0 ? text.length : end;
      if (depth === 1 && valueStart < 0) key = readKey(text.subarray(stringStart, i + 1));
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (depth > maxDepth) break;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 1) endValue(i);
      depth -= 1;
    } else if (depth === 1 && byte === colon) {
      valueStart = i + 1;
    } else if (depth === 1 && byte === comma) {
      endValue(i);
    }
  }
  return { depth: deepest, members };
}

function readKey(bytes: Buffer): string {
  try {
    return String(JSON.parse(bytes.toString('utf8')));
  } catch {
    return '';
  }
}
