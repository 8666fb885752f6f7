import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { toVerifiedBody } from '../../../../src/api/http/verified-stream.ts';

const parts = ['abc', 'de', 'fghi'];
const checksum = createHash('sha256').update('abcdefghi').digest('hex');

async function* stream(texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

/** The bytes that a reader receives before the end or an error. */
async function read(texts: readonly string[], sizeBytes: number, sum?: string) {
  let text = '';
  try {
    for await (const chunk of toVerifiedBody(stream(texts), sizeBytes, sum)) text += Buffer.from(chunk).toString();
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

it('streams an intact file', async () => {
  expect(await read(parts, 9, checksum)).toEqual({ text: 'abcdefghi', isWhole: true });
});

it('streams no more than the requested size', async () => {
  expect(await read(parts, 4)).toEqual({ text: 'abcd', isWhole: true });
});

it('ends before the last byte if a file is damaged or too short', async () => {
  const changed = await read(['abc', 'de', 'fghX'], 9, checksum);
  expect(changed.isWhole).toBe(false);
  expect(changed.text.length).toBeLessThan(9);
  expect((await read(['abc', 'de'], 9, checksum)).isWhole).toBe(false);
});
