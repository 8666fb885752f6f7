import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assembleFeatures, type Features } from '../../../../src/worker/docx/core/feature.ts';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { barcodes } from '../../../../src/worker/docx/features/barcodes/barcodes.ts';
import { columns } from '../../../../src/worker/docx/features/columns/columns.ts';
import { html } from '../../../../src/worker/docx/features/html/html.ts';
import { images } from '../../../../src/worker/docx/features/images/images.ts';
import { featureList } from '../../../../src/worker/docx/features.ts';
import { errorOf, render } from '../render/fill.ts';

const whole = assembleFeatures(featureList);
const barcodeTag = '{%barcode sku "ean13"}';
const data = { sku: '4006381333931', name: 'Ada' };

const fillWith = (features: Features, text: string) => render(text, data, { features });

describe('an engine without the barcode feature', () => {
  const without = assembleFeatures(featureList.filter((feature) => feature !== barcodes));

  it('rejects barcode tags at upload and lists the supported tags', () => {
    const { details = [] } = errorOf(() => fillWith(without, barcodeTag));
    expect(details).toMatchObject([
      {
        message: `In the body: the tag ${barcodeTag} is not valid: there is no kind of picture "barcode".`,
        tag: barcodeTag,
        hint: 'write {%name}',
      },
    ]);
  });

  it.each(['certificate', 'contract', 'invoice', 'letter', 'report'])('still renders the %s', (name) => {
    const file = (extension: string) =>
      readFileSync(new URL(`../../../../examples/${name}.${extension}`, import.meta.url));
    const data = JSON.parse(file('json').toString());
    const filled = (features: Features) => render(file('docx'), data, { features }).file;
    expect(filled(without).equals(filled(whole))).toBe(true);
  });

  it('draws barcodes again once the feature is back in the list', async () => {
    await loadSvgEngine();
    const added = assembleFeatures([...without.all, barcodes]);
    const names = fillWith(added, barcodeTag).docx.partNames;
    expect(names.filter((name) => name.startsWith('word/media/'))).toHaveLength(1);
  });
});

describe('an engine without a feature that has tags', () => {
  it.each([
    ['html', html, '{~name}', '~'],
    ['images', images, '{%name}', '%'],
    ['columns', columns, '{|name}', '|'],
  ])('rejects the tags of %s', (_, missing, tag, sign) => {
    const without = assembleFeatures(featureList.filter((feature) => feature !== missing));
    const { details = [] } = errorOf(() => fillWith(without, tag));
    expect(details).toMatchObject([
      { message: `In the body: the tag ${tag} is not valid: tags that start with ${sign} are not supported.` },
    ]);
  });

  it('fills values and sections without any feature', () => {
    const { text } = fillWith(assembleFeatures([]), 'Dear {name}{#sku}, item {sku}{/}');
    expect(text).toBe('Dear Ada, item 4006381333931');
  });
});
