import { type Frame, framePieces } from './frame.ts';

/** The JSON fields, and the names and lengths of the binary fields in the order of the body. */
interface MessageHead {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: readonly (readonly [name: string, length: number])[];
}

/** The pieces of a frame for a message, in writing order. Binary fields are sent unchanged, others as JSON. */
export function messageToPieces(message: object): Uint8Array[] {
  const fields: Record<string, unknown> = {};
  const bytes: [string, Uint8Array][] = [];
  for (const [name, value] of Object.entries(message)) {
    if (value instanceof Uint8Array) bytes.push([name, value]);
    else fields[name] = value;
  }
  const body = bytes.map(([, value]) => value);
  const head: MessageHead = { fields, bytes: bytes.map(([name, value]) => [name, value.byteLength]) };
  return framePieces(head, body);
}

/** The message in a frame. Its binary fields are views of the frame. Throws if the frame does not hold a message. */
export function frameToMessage({ head, body }: Frame): Readonly<Record<string, unknown>> {
  const { fields, bytes } = JSON.parse(head.toString()) as MessageHead;
  let at = 0;
  const views = bytes.map(([name, length]): [string, Uint8Array] => {
    if (!Number.isInteger(length) || length < 0) throw new Error('a message has an invalid field length');
    at += length;
    return [name, body.subarray(at - length, at)];
  });
  if (at !== body.length) throw new Error('the field lengths of a message do not match its body');
  return { ...fields, ...Object.fromEntries(views) };
}
