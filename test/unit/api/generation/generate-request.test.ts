import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';
import { generateRequest } from '../../../../src/api/generation/generate-request.ts';
import { createRandom } from '../../../../tools/fuzz/random.ts';
import { createValueMaker, type Schema } from '../../../../tools/fuzz/values.ts';

const document = createOpenApiDocument(operations);
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document as object, 'document');
const allows = ajv.compile({ $ref: 'document#/components/schemas/GenerateRequest' });
const accepts = (value: unknown): boolean => generateRequest.safeParse(value).success;

const email = (fields: object) => ({ data: {}, output: { email: { to: ['a@example.com'], ...fields } } });
const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.com`);
const output = (fields: object) => ({ data: {}, output: fields });

test.each([
  ['no recipient', email({ to: [] }), false],
  ['50 recipients', email({ to: people(50) }), true],
  ['51 recipients', email({ to: people(51) }), false],
  ['the same recipient 51 times', email({ to: Array(51).fill('a@example.com') }), false],
  ['51 hidden copies', email({ bcc: people(51) }), false],
  ['no address', email({ to: ['nobody'] }), false],
  ['an international domain', email({ to: ['info@münchen.de', '吉@𠮷.jp'] }), true],
  [
    'UTF-8 before the at sign',
    email({ to: ['ü@exämple.com'], cc: ['山田@example.jp'], bcc: ['😀@example.com'] }),
    true,
  ],
  ['a quoted local part', email({ to: ['"ü x"@example.com'] }), false],
  ['a right-to-left override in an address', email({ to: ['ü\u202e@example.com'] }), false],
  ['a zero-width space in an address', email({ to: ['ü\u200b@example.com'] }), false],
  ['a no-break space in an address', email({ cc: ['ü\u00a0x@example.com'] }), false],
  ['a line break in an address', email({ bcc: ['ü@example.com\n'] }), false],
  ['an empty subject', email({ subject: '' }), false],
  ['a blank subject', email({ subject: ' \u00a0 ' }), false],
  ['a subject of two lines', email({ subject: 'a\nb' }), false],
  ['a subject of 500 characters outside of the basic plane', email({ subject: '😀'.repeat(500) }), true],
  ['a subject of 501 characters', email({ subject: 'x'.repeat(501) }), false],
  ['an empty body', email({ body: '' }), false],
  ['a null character', email({ body: 'a\0b' }), false],
  ['a lone surrogate', email({ body: 'a\ud800b' }), false],
  ['an empty file name', output({ filename: '' }), false],
  ['a file name of 1,000 characters', output({ filename: '😀'.repeat(1_000) }), true],
  ['a file name of 1,001 characters', output({ filename: 'x'.repeat(1_001) }), false],
  ['PDF options without a format', output({ pdf: {} }), false],
  ['PDF options of a .docx', output({ format: 'docx', pdf: {} }), false],
  ['PDF options of a PDF', output({ format: 'pdf', pdf: {} }), true],
  ['null for the options of a .docx', output({ pdf: null, email: null }), true],
  ['an archive with a password', output({ format: 'pdf', pdf: { archive: 'PDF/A-2b', password: 'x' } }), false],
  ['an archive without a password', output({ format: 'pdf', pdf: { archive: 'PDF/A-2b', password: null } }), true],
  [
    'an accessible PDF that denies access',
    output({ format: 'pdf', pdf: { accessible: true, permissions: { accessibility: false } } }),
    false,
  ],
  ['highlights in a PDF', output({ format: 'pdf', onMissing: 'highlight' }), false],
  ['highlights in a .docx', output({ onMissing: 'highlight' }), true],
  ['an unknown field', output({ colour: 'red' }), false],
  ['another type of URL', { data: {}, callbackUrl: 'ftp://example.com' }, false],
  ['an empty URL', { data: {}, callbackUrl: '' }, false],
])('the document and the service agree about %s', (_, value, expected) => {
  expect(allows(value)).toBe(expected);
  // The policy of addresses checks the URL later.
  if (!('callbackUrl' in value)) expect(accepts(value)).toBe(expected);
});

test('the document and the service agree about values at and beyond every limit', () => {
  const random = createRandom(1);
  const components = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const makeValue = createValueMaker(random, components);
  let rejected = 0;
  for (let i = 0; i < 10_000; i += 1) {
    const valid = makeValue.valid({ $ref: '#/components/schemas/GenerateRequest' });
    const value: unknown = JSON.parse(JSON.stringify(i % 2 === 0 ? valid : makeValue.mutated(valid)));
    if (allows(value) === accepts(value)) {
      if (!accepts(value)) rejected += 1;
      continue;
    }
    const { error } = generateRequest.safeParse(value);
    // These are looked up or counted together: the schema describes their form.
    const isDescribed = error?.issues.every(
      ({ path, message }) => /^output\.(locale|timezone|email)/.test(path.join('.')) || message.includes('together'),
    );
    expect(
      isDescribed ?? allows.errors?.every(({ instancePath }) => instancePath === '/callbackUrl'),
      JSON.stringify(value).slice(0, 500),
    ).toBe(true);
  }
  expect(rejected).toBeGreaterThan(500);
});
