import { describe, expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';
import { emailFields, optionsForm } from '../../../../src/console/playground/options-schema.ts';
import {
  emptyValue,
  type FormField,
  formOf,
  labelOf,
  nodeFor,
  summaryOf,
} from '../../../../src/console/playground/schema-form.ts';
import { optionTexts } from '../../../../src/console/texts/output.ts';

describe('the form of a schema', () => {
  test('has an input for every kind of value', () => {
    const form = formOf({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        due: { type: 'string', format: 'date' },
        total: { type: ['number', 'null'], minimum: 1 },
        isPaid: { type: 'boolean' },
        rows: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
        words: { type: 'array', items: { type: 'string' } },
        mood: { enum: ['good', 'bad', null], type: ['string', 'null'] },
        other: {},
      },
    });
    if (form.kind !== 'object') throw new Error('It is not a form.');
    expect(form.fields.map(({ name, node }) => `${name}: ${node.kind}`).join(', ')).toBe(
      'name: text, due: text, total: number, isPaid: boolean, rows: list, words: list, mood: choice, other: any',
    );
    expect(form.fields[0]?.isRequired).toBe(true);
    const texts = { name: '', due: '', other: '', mood: 'good' };
    expect(emptyValue(form)).toEqual({ ...texts, total: 0, isPaid: false, rows: [], words: [] });
  });

  test('of a section is that of the data: a list, an object, or yes or no', () => {
    const item = { type: 'object', properties: { day: { type: 'string' } } };
    const section = formOf({ type: ['object', 'array', 'boolean'], items: item, properties: item.properties });
    const kinds = [undefined, [{}], { day: '' }, false].map((value) => nodeFor(section, value).kind);
    expect(kinds).toEqual(['list', 'list', 'object', 'boolean']);
    const flag = formOf({ type: ['boolean', 'object', 'array'] });
    expect([undefined, true].map((value) => nodeFor(flag, value).kind)).toEqual(['boolean', 'boolean']);
    expect([emptyValue(section), emptyValue(flag)]).toEqual([[], false]);
  });

  test('ends where a schema contains itself, and accepts any value if the schema is missing', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } };
    expect(formOf(tree, { Tree: tree }).kind).toBe('object');
    expect(formOf(true)).toEqual({ kind: 'any' });
    expect(formOf({ $ref: '#/components/schemas/Missing' })).toEqual({ kind: 'any' });
  });
});

test.each([
  ['vatNumber', 'VAT number'],
  ['vat_number', 'VAT number'],
  ['IBAN', 'IBAN'],
  ['straßeNr', 'Straße nr'],
  ['__proto__', 'Proto'],
  ['_', '_'],
  ['价格', '价格'],
])('the field %s is labelled %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});

test('an item is summarised by its first strings in one short line', () => {
  expect(summaryOf({ name: 'Chair', n: 2, inner: { note: '<b>' } })).toBe('Chair · 2 · <b>');
  expect(summaryOf('x'.repeat(10_000)).length).toBeLessThanOrEqual(81);
});

describe('the form of the options', () => {
  const names = (fields: readonly FormField[]): string[] =>
    fields.flatMap(({ name, node }) => [name, ...(node.kind === 'object' ? names(node.fields) : [])]);

  test('has every option of a request', () => {
    const schemas = createOpenApiDocument(operations).components?.schemas as unknown as Record<
      string,
      { readonly properties?: object }
    >;
    const own = ['OutputOptions', 'PdfOptions', 'PdfPermissions', 'DocxOptions', 'DocxProtection', 'EmailOptions'];
    const kinds = [...own, 'HybridInvoice', 'XmlInvoice'];
    const listed = kinds.flatMap((name) => Object.keys(schemas[name]?.properties ?? {}));
    const shown = names(optionsForm.output);
    expect(shown.sort()).toEqual(listed.sort());
    expect(names(optionsForm.request)).toEqual(['callbackUrl']);
    expect([...emailFields.recipients, ...emailFields.message, ...emailFields.files]).toEqual(
      Object.keys(schemas.EmailOptions?.properties ?? {}),
    );
  });

  test('names every option and every choice in words', () => {
    const all = (fields: readonly FormField[]): FormField[] =>
      fields.flatMap((field) => [field, ...(field.node.kind === 'object' ? all(field.node.fields) : [])]);
    const emails = new Set<string>(['email', ...emailFields.recipients, ...emailFields.message]);
    for (const { name, label, node } of all([...optionsForm.output, ...optionsForm.request])) {
      if (emails.has(name)) continue;
      expect(optionTexts[name]?.label, name).toBe(label);
      if (node.kind === 'choice' && name !== 'archive')
        expect(Object.keys(node.labels ?? {}), name).toEqual(expect.arrayContaining([...node.options]));
    }
  });

  test('has a specific input for every option, and hides passwords', () => {
    const nodes = (fields: readonly FormField[]): [string, string][] =>
      fields.flatMap(({ name, node }): [string, string][] =>
        node.kind === 'object' ? nodes(node.fields) : [[name, node.kind]],
      );
    // The invoice as JSON has more terms than a form should show.
    const free = nodes([...optionsForm.output, ...optionsForm.request]).filter(([, kind]) => kind === 'any');
    expect(free.filter(([name]) => name !== 'data')).toEqual([]);
    const pdf = optionsForm.output.find(({ name }) => name === 'pdf')?.node;
    const password = pdf?.kind === 'object' ? pdf.fields.find(({ name }) => name === 'password')?.node : undefined;
    expect(password).toMatchObject({ kind: 'text', isSecret: true });
  });
});

test('a picture has an input of its own, without the description that is for programs', () => {
  const picture = (description: string) => ({
    anyOf: [{ type: 'string', contentEncoding: 'base64' }, {}],
    description,
  });
  const form = formOf({
    type: 'object',
    properties: { logo: picture('A picture: base64 or an object.'), photo: picture('Of the applicant') },
  });
  if (form.kind !== 'object') throw new Error('It is not a form.');
  expect(form.fields.map(({ node, description }) => [node.kind, description])).toEqual([
    ['picture', undefined],
    ['picture', 'Of the applicant'],
  ]);
});
