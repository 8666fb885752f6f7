import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { barcodeKinds } from '../../../../src/worker/docx/features/barcodes/barcode-kinds.ts';
import { examplePicture } from '../../../../src/worker/docx/features/images/picture-data.ts';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { shown } from '../pictures/shown.ts';
import { inspect } from '../render/fill.ts';

beforeAll(loadSvgEngine);

const validate = (schema: object, data: unknown): boolean =>
  addFormats.default(new Ajv2020({ allowUnionTypes: true })).validate(schema, data);

describe('the schema of a template with pictures', () => {
  it('asks for a picture, and shows how to send one', () => {
    const { schema, example } = inspect('{%logo}');
    expect(example).toEqual({ logo: examplePicture });
    const properties = { logo: { anyOf: expect.anything() } };
    expect(schema).toMatchObject({ type: 'object', required: ['logo'], properties });
    const data = { data: examplePicture, width: '3cm', fit: 'cover' };
    for (const logo of [examplePicture, data, { asset: 'a.png', width: 5 }])
      expect(validate(schema, { logo })).toBe(true);
    for (const logo of [7, [], { width: '3cm' }, { asset: 7 }, { data: 'x', fit: 'fill' }])
      expect(validate(schema, { logo })).toBe(false);
  });

  it('asks for a string for a barcode, and for lists of pictures', () => {
    const { schema, example } = inspect({ body: table([['{#items}{%photo}', '{%qr url}{/items}']]) });
    expect(schema).toMatchObject({
      properties: {
        items: { type: ['array', 'object', 'boolean'], items: { properties: { url: { type: 'string' } } } },
      },
    });
    expect(example).toEqual({ items: Array(2).fill({ photo: examplePicture, url: 'https://example.com/' }) });
  });

  it.each([
    ['{%logo}', 1],
    ['{%%logo}', 1],
    ['{%logo | width:w | fit:f | alt:a}', 1],
    ['{#photos}{%.}{/photos}', 2],
    ['{%company.logo}{company.name}', 1],
    ['{#logo}{%logo}{/logo}', 1],
    ...Object.keys(barcodeKinds).map((name): [string, number] => [`{%barcode code "${name}"}`, 1]),
  ])('gives an example for %s that matches and fills it', (template, count) => {
    const { schema, example } = inspect({ body: paragraph(template) });
    expect(validate(schema, example)).toBe(true);
    expect(shown({ body: paragraph(template) }, example)).toHaveLength(count);
  });
});
