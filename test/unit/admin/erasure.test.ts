import { describe, expect, it } from 'vitest';
import { matchAddress } from '../../../src/api/erasure/address-matcher.ts';
import { blanked } from '../../../src/api/erasure/blank-rows.ts';
import { cut } from '../../../src/api/erasure/find-rows.ts';

describe('an address', () => {
  const { isIn } = matchAddress('anna.k@example.com');

  it.each([
    ['alone', 'anna.k@example.com'],
    ['in other case', 'ANNA.K@Example.COM'],
    ['in a reply', '550 5.1.1 <anna.k@example.com>: no such user'],
    ['in quotes', "to='anna.k@example.com'"],
    ['at the end of a sentence', 'Sent to anna.k@example.com.'],
    ['after a new line', 'To:\nanna.k@example.com'],
    ['in a query', 'https://x.example/?to=anna.k%40example.com&a=1'],
    ['encoded as a whole', 'https://x.example/?m=mailto%3Aanna.k%40example.com'],
    ['as a file name', 'for anna.k@example.com.docx'],
    ['in a list', { to: ['b@example.com', { at: 'anna.k@example.com' }] }],
    ['as a name of a field', { 'anna.k@example.com': 1 }],
  ])('is found %s', (_, value) => {
    expect(isIn(value)).toBe(true);
  });

  it.each([
    ['with more before', 'joanna.k@example.com'],
    ['with a first part', 'jo.anna.k@example.com'],
    ['with a tag before', 'x+anna.k@example.com'],
    ['with a longer domain', 'anna.k@example.com.au'],
    ['with a longer last label', 'anna.k@example.community'],
    ['with another separator', 'annaxk@example.com'],
    ['nothing', { a: null, b: 1, c: new Date(), d: '' }],
  ])('does not match %s', (_, value) => {
    expect(isIn(value)).toBe(false);
  });

  it('is found with its domain in both forms, and in both normal forms', () => {
    const matcher = matchAddress('jörg@müller.example');
    expect(matcher.isIn('JÖRG@xn--mller-kva.example')).toBe(true);
    expect(matcher.isIn('jörg@müller.example'.normalize('NFD'))).toBe(true);
    expect(matcher.isIn('björg@müller.example')).toBe(false);
    expect(matcher.clue).toBeUndefined();
  });
});

const rows = ['{"a":"one"}', '{"b":"two two"}', '{}', '{"c":"three"}'];
const text = `${rows.join('\n')}\n`;
const places = rows.map((row, index) => ({
  row: index + 1,
  documentId: `doc_${index}`,
  offset: rows.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0),
  bytes: row.length,
}));

async function* chunksOf(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

async function* inOrder<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

describe.each([1, 3, 7, 1_000])('the rows of a batch, read %i bytes at a time', (size) => {
  it('are blanked, and the other rows stay where they are', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of blanked(
      chunksOf(size),
      [places[3], places[1]].flatMap((place) => place ?? []),
    ))
      chunks.push(chunk);
    const result = Buffer.concat(chunks).toString();
    expect(result).toBe(`${rows[0]}\n{${' '.repeat(13)}}\n{}\n{${' '.repeat(11)}}\n`.slice(0, text.length));
    expect(
      result
        .split('\n')
        .slice(0, 4)
        .map((row) => JSON.parse(row)),
    ).toEqual([{ a: 'one' }, {}, {}, {}]);
  });

  it('are removed one by one', async () => {
    const found: string[] = [];
    for await (const { data } of cut(chunksOf(size), inOrder(places))) found.push(String(data));
    expect(found).toEqual(rows);
  });
});
