import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mostAssets } from '../../../../src/worker/docx/core/render/assets.ts';
import { barcodeKinds } from '../../../../src/worker/docx/features/barcodes/barcode-kinds.ts';
import { checkPictureTag } from '../../../../src/worker/docx/features/images/image-tag.ts';
import { pictureLimits } from '../../../../src/worker/docx/features/images/picture-limits.ts';
import { allFeatures } from '../../../../src/worker/docx/features.ts';

const reference = readFileSync(new URL('../../../../docs/reference/template-language.md', import.meta.url), 'utf8');
const chapter = reference.split('\n## Pictures and barcodes\n')[1]?.split('\n## ')[0] ?? '';
const tags = [...chapter.matchAll(/\{%([^{}\n…]+)\}/g)].map(([, text = '']) => text.replaceAll('\\|', '|').trim());

describe('the reference of pictures and barcodes', () => {
  it('has examples', () => {
    expect(tags.length).toBeGreaterThan(10);
  });

  it.each(tags)('{%%%s} is a valid tag', (text) => {
    expect(checkPictureTag(text, allFeatures)).toBeUndefined();
  });

  it('names every barcode', () => {
    const list = /The kind of a barcode is one of ([^;]*);/.exec(chapter)?.[1] ?? '';
    expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(Object.keys(barcodeKinds));
  });

  it('states the limits', () => {
    const limits = reference.split('\n## Limits\n')[1] ?? '';
    expect(limits).toContain(
      `| one picture | ${pictureLimits.bytes / 1024 ** 2} MB, ${pictureLimits.pixels / 1e6} million pixels |`,
    );
    expect(limits).toContain(
      `| pictures and barcodes in a document | ${pictureLimits.placed.toLocaleString('en')}; the different ones together ${pictureLimits.totalBytes / 1024 ** 2} MB |`,
    );
    expect(limits).toContain(`| assets that the data of a document names | ${mostAssets} |`);
  });
});
