import { Readable } from 'node:stream';
import { PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MergeInput, readFrames, toFrame } from '../../../src/worker/pdf/merge/frames.ts';
import { pdfText } from '../../../src/worker/pdf/merge/pdf-text.ts';

async function taken(bytes: Buffer, chunkBytes: number): Promise<MergeInput[]> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const inputs: MergeInput[] = [];
  for await (const input of readFrames(Readable.from(chunks)))
    inputs.push({ ...input, bytes: Buffer.from(input.bytes) });
  return inputs;
}

const frames = fc.array(
  fc.record({
    row: fc.nat({ max: 100_000 }),
    title: fc.string({ unit: 'grapheme' }),
    bytes: fc.uint8Array({ maxLength: 300 }),
  }),
  { maxLength: 8 },
);

it('documents arrive unchanged, however the stream is split', async () => {
  await fc.assert(
    fc.asyncProperty(frames, fc.integer({ min: 1, max: 200 }), async (inputs, chunkBytes) => {
      const sent = inputs.map((input) => ({
        ...input,
        title: input.title.toWellFormed(),
        bytes: Buffer.from(input.bytes),
      }));
      expect(await taken(Buffer.concat(sent.flatMap(toFrame)), chunkBytes)).toEqual(sent);
    }),
  );
});

it('a stream that ends within a document is an error', async () => {
  const bytes = Buffer.concat(toFrame({ row: 1, title: 'a', bytes: Buffer.from('abc') }));
  await expect(taken(bytes.subarray(0, -1), 5)).rejects.toThrow(/truncated/);
});

it('writes names, numbers and strings so that nothing in them is markup', () => {
  const dict = PdfDict.of({
    'A B/#(é': PdfName.of('x>>y'),
    N: PdfNumber.of(-0.0000001),
    M: PdfNumber.of(12.5),
    S: PdfString.fromBytes(Buffer.from(')>>\\')),
  });
  expect(pdfText(dict, () => 'null')).toBe('<</A#20B#2f#23#28#c3#a9 /x#3e#3ey /N -0.0000001 /M 12.5 /S <293e3e5c>>>');
});
