import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pictureLimits } from '../../../../src/worker/docx/core/pictures/picture-limits.ts';
import { mostAssets } from '../../../../src/worker/docx/core/render/assets.ts';
import { barcodeKinds } from '../../../../src/worker/docx/features/barcodes/barcode-kinds.ts';
import { checkPictureTag } from '../../../../src/worker/docx/features/images/image-tag.ts';
import { allFeatures } from '../../../../src/worker/docx/features.ts';
import { formatters } from '../../../../src/worker/docx/language/expressions/formatters.ts';
import { parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';

const reference = readFileSync(new URL('../../../../docs/reference/template-language.md', import.meta.url), 'utf8');
const chapter = (title: string) => reference.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const tagsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, tag = '']) => tag.replaceAll('\\|', '|').trim());
const tags = tagsIn(chapter('Expressions') + chapter('Formatters'), /\{[#^]?([^{}\n…]+)\}/g);
const pictureTags = tagsIn(chapter('Pictures and barcodes'), /\{%([^{}\n…]+)\}/g);
const isTag = (text: string) => !text.includes(':') || text.includes('|') || text.includes('?');
const examples = tags.filter(
  (text) => isTag(text) && !text.startsWith('/') && text !== 'value | formatter' && !text.includes('formatter:'),
);

describe('the language reference', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(50);
    expect(pictureTags.length).toBeGreaterThan(10);
  });

  it.each(examples)('{%s} is a valid tag', (text) => {
    expect(() => parseTagText(text)).not.toThrow();
  });

  it.each([...formatters.keys()])('describes the formatter %s', (name) => {
    expect(chapter('Formatters')).toMatch(new RegExp(`[\\s\`|]${name}[\`:} ]`));
  });

  it.each(pictureTags)('{%%%s} is a valid tag', (text) => {
    expect(checkPictureTag(text, allFeatures)).toBeUndefined();
  });

  it('names every kind of barcode', () => {
    const list = /The barcode types\s+are ([^;]*);/.exec(chapter('Pictures and barcodes'))?.[1] ?? '';
    expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(Object.keys(barcodeKinds));
  });

  it('states the limits of pictures', () => {
    const { bytes, pixels, placed, totalBytes } = pictureLimits;
    const megabytes = (size: number) => `${size / 1024 ** 2} MB`;
    for (const row of [
      `| one picture | ${megabytes(bytes)}, ${pixels / 1e6} million pixels |`,
      `| pictures and barcodes in a document | ${placed.toLocaleString('en')}; all different ones together ${megabytes(totalBytes)} |`,
      `| assets named in a document's data | ${mostAssets} |`,
    ])
      expect(chapter('Limits')).toContain(row);
  });
});
