import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameReader } from '../../../../src/worker/supervisor/frame.ts';
import { frameToMessage, messageToPieces } from '../../../../src/worker/supervisor/message-frame.ts';

const bytes = fc.uint8Array({ maxLength: 200 });
const key = fc.string({ unit: 'binary', maxLength: 20 });
const field = fc.oneof(
  bytes,
  fc.array(fc.tuple(key, fc.option(bytes))).map((entries) => new Map(entries)),
  fc.jsonValue().filter((value) => value !== undefined),
);
const message = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), field, { maxKeys: 6, noNullPrototype: true });

it('a message arrives with its bytes and its other fields', () => {
  fc.assert(
    fc.property(message, (sent) => {
      const reader = new FrameReader({ maxBytes: 100_000, keepsChunks: true });
      const [frame] = reader.push(Buffer.concat(messageToPieces(sent)));
      const got = frame === undefined ? {} : frameToMessage(frame);
      expect(Object.keys(got).sort()).toEqual(Object.keys(sent).sort());
      for (const [name, value] of Object.entries(sent)) expect(comparable(got[name])).toEqual(comparable(value));
    }),
  );
});

/** Bytes become numbers, a map becomes its entries, and everything else is converted as in JSON. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof Map) return [...value].map(([name, inner]) => [name, comparable(inner)]);
  return JSON.parse(JSON.stringify(value));
}

it.each([
  ['{{', 'no JSON'],
  ['null', 'nothing'],
  ['{"fields":{}}', 'no bytes'],
  ['{"fields":{},"bytes":[7]}', 'bytes without a name'],
  ['{"fields":{},"bytes":[["pdf","x"]]}', 'a length that is no number'],
  ['{"fields":{},"bytes":[["pdf",-1],["docx",1]]}', 'a negative length'],
  ['{"fields":{},"bytes":[["files",[["a","x"]]]]}', 'a length of a map that is no number'],
  ['{"fields":{},"bytes":[["files",[7]]]}', 'an entry of a map without a key'],
  ['{"fields":{},"bytes":[["files",{"a":0}]]}', 'an object instead of a map'],
  ['{"fields":{},"bytes":[["pdf",1]]}', 'more bytes than there are'],
])('%s is not a message: %s', (text) => {
  expect(() => frameToMessage({ head: Buffer.from(text), body: Buffer.alloc(0) })).toThrow();
});
