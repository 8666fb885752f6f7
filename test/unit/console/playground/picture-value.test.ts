import { expect, test } from 'vitest';
import {
  pictureUrl,
  readPicture,
  sizeOfBase64,
  toBase64,
  withPicture,
} from '../../../../src/console/playground/picture-value.ts';

test.each([
  [undefined, {}],
  ['', {}],
  ['iVBORw0=', { base64: 'iVBORw0=' }],
  [{ data: 'iVBORw0=', width: '2cm' }, { base64: 'iVBORw0=' }],
  [{ asset: 'logo.png', data: '' }, { asset: 'logo.png' }],
  [{ asset: '' }, {}],
  [['iVBORw0='], {}],
])('%j is read as %j', (value, picture) => {
  expect(readPicture(value)).toEqual(picture);
});

test('another picture keeps its size and alternative text', () => {
  const sized = { data: 'old', width: '2cm', alt: 'Our logo' };
  expect(withPicture(sized, { asset: 'logo.png' })).toEqual({ width: '2cm', alt: 'Our logo', asset: 'logo.png' });
  expect(withPicture({ asset: 'logo.png', width: '2cm' }, { base64: 'new' })).toEqual({ width: '2cm', data: 'new' });
  expect(withPicture({ asset: 'logo.png' }, { base64: 'new' })).toBe('new');
  expect(withPicture('old', { asset: 'logo.png' })).toEqual({ asset: 'logo.png' });
});

test('a file becomes base64, which has its size and is shown as its type', async () => {
  const svg = Buffer.from(`<svg>${'é'.repeat(60_000)}</svg>`);
  const base64 = await toBase64(new Blob([svg]));
  expect(base64 === svg.toString('base64')).toBe(true);
  for (const length of [0, 1, 2, 3, 4]) {
    expect(sizeOfBase64(`data:image/png;base64,${Buffer.alloc(length).toString('base64')}`)).toBe(length);
  }
  const beginnings = ['iVBORw0', '/9j/4AA', 'R0lGODl', 'PHN2Zz4', 'data:image/png;base64,AA'].map(pictureUrl);
  expect(beginnings.map((url) => url.split(';')[0])).toEqual([
    'data:image/png',
    'data:image/jpeg',
    'data:image/gif',
    'data:image/svg+xml',
    'data:image/png',
  ]);
});
