import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameReader } from '../../../../src/worker/supervisor/frame.ts';
import { frameToMessage, messageToPieces } from '../../../../src/worker/supervisor/message-frame.ts';

const field = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
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
      for (const [name, value] of Object.entries(sent)) {
        if (value instanceof Uint8Array) expect(Buffer.from(got[name] as Uint8Array).equals(value)).toBe(true);
        else expect(got[name]).toEqual(JSON.parse(JSON.stringify(value)));
      }
    }),
  );
});

it.each([
  ['{{', 'no JSON'],
  ['null', 'nothing'],
  ['{"fields":{}}', 'no bytes'],
  ['{"fields":{},"bytes":[7]}', 'bytes without a name'],
  ['{"fields":{},"bytes":[["pdf","x"]]}', 'a length that is no number'],
  ['{"fields":{},"bytes":[["pdf",-1],["docx",1]]}', 'a negative length'],
  ['{"fields":{},"bytes":[["pdf",1]]}', 'more bytes than there are'],
])('%s is not a message: %s', (text) => {
  expect(() => frameToMessage({ head: Buffer.from(text), body: Buffer.alloc(0) })).toThrow();
});
