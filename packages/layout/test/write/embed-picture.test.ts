import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { UnknownFeature } from '../../src/unknown-feature.ts';
import { embedPicture } from '../../src/write/embed-picture.ts';
import { PdfObjects } from '../../src/write/pdf-objects.ts';

function embed(bytes: Buffer): string {
  const objects = new PdfObjects();
  const number = embedPicture(objects, bytes, createHash('sha256').update(bytes).digest('hex'));
  return objects.end(number, number).toString('latin1');
}

function pngOf(opacity: number): Buffer {
  const picture = new PNG({ width: 2, height: 2 });
  picture.data.fill(opacity);
  return PNG.sync.write(picture);
}

test('a picture is the same in each document that shows it, and another one is not', () => {
  const first = embed(pngOf(128));
  expect(embed(pngOf(128))).toBe(first);
  expect(first.match(/\/ColorSpace \/Device(?:RGB|Gray) \/Filter \/FlateDecode/g)).toHaveLength(2);
  expect(first).toContain('/SMask 1 0 R');
  expect(embed(pngOf(255))).not.toContain('/SMask');
});

test('a damaged PNG is refused each time', () => {
  const damaged = pngOf(255).subarray(0, 40);
  for (const _ of [1, 2]) expect(() => embed(damaged)).toThrow(new UnknownFeature('a PNG that is damaged'));
});
