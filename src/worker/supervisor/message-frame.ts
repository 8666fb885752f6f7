import { type Frame, framePieces } from './frame.ts';

/** The length of a binary field; for a map, each key with the length of its bytes, or null. */
type Length = number | readonly (readonly [key: string, length: number | null])[];

/** The JSON fields, and the names and lengths of the binary fields in the order of the body. */
interface MessageHead {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: readonly (readonly [name: string, length: Length])[];
}

/**
 * The pieces of a frame for a message, in writing order. Fields that are bytes, or a map of keys to bytes or null, are
 * sent unchanged, all others as JSON.
 */
export function messageToPieces(message: object): Uint8Array[] {
  const fields: Record<string, unknown> = {};
  const lengths: [string, Length][] = [];
  const body: Uint8Array[] = [];
  const put = (bytes: Uint8Array): number => {
    body.push(bytes);
    return bytes.byteLength;
  };
  for (const [name, value] of Object.entries(message)) {
    if (value instanceof Uint8Array) lengths.push([name, put(value)]);
    else if (value instanceof Map) lengths.push([name, mapLengths(value, put)]);
    else fields[name] = value;
  }
  return framePieces({ fields, bytes: lengths } satisfies MessageHead, body);
}

/** The message in a frame. Its binary fields are views of the frame. Throws if the frame does not hold a message. */
export function frameToMessage({ head, body }: Frame): Readonly<Record<string, unknown>> {
  const { fields, bytes } = JSON.parse(head.toString()) as MessageHead;
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (!Number.isInteger(length) || length < 0) throw new Error('a message has an invalid field length');
    at += length;
    return body.subarray(at - length, at);
  };
  const values = bytes.map(([name, length]): [string, unknown] => [
    name,
    Array.isArray(length) ? takeMap(length, take) : take(length as number),
  ]);
  if (at !== body.length) throw new Error('the field lengths of a message do not match its body');
  return { ...fields, ...Object.fromEntries(values) };
}

function mapLengths(map: ReadonlyMap<string, Uint8Array | null>, put: (bytes: Uint8Array) => number): Length {
  return Array.from(map, ([key, bytes]) => [key, bytes === null ? null : put(bytes)]);
}

function takeMap(lengths: Exclude<Length, number>, take: (length: number) => Uint8Array) {
  return new Map(lengths.map(([key, length]) => [key, length === null ? null : take(length)]));
}
