import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';
import { generateRequest } from '../../../../src/api/generation/generate-request.ts';
import { toUtc } from '../../../../src/api/generation/output-options.ts';
import { parseRequest } from '../../../../src/api/http/parse-request.ts';
import type { AppError } from '../../../../src/shared/errors.ts';
import { createRandom } from '../../../../tools/fuzz/random.ts';
import { createValueMaker, type Schema } from '../../../../tools/fuzz/values.ts';

const document = createOpenApiDocument(operations);
const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date-time', true);
ajv.addSchema(document as object, 'document');
/** What the OpenAPI document says about a request. */
const allows = ajv.compile({ $ref: 'document#/components/schemas/GenerateRequest' });
const accepts = (value: unknown): boolean => generateRequest.safeParse(value).success;

/** The refusal of a request by the service: a line for each field. */
function refusalOf(value: unknown): readonly string[] {
  try {
    parseRequest(generateRequest, value);
    return [];
  } catch (error) {
    return ((error as AppError).details ?? []).map((detail) => `${'path' in detail ? detail.path : ''}: ${detail.message}`);
  }
}

const output = (fields: object) => ({ data: {}, output: fields });
const email = (fields: object) => output({ email: { to: ['a@example.com'], ...fields } });
const pdf = (fields: object) => output({ format: 'pdf', pdf: fields });
const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.com`);
const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const pdfFields = ['archive', 'accessible', 'password', 'permissions', 'watermark', 'pages', 'imageQuality', 'engine'];

describe('the document and the service accept', () => {
  test.each<[string, unknown]>([
    ['50 recipients', email({ to: people(50) })],
    ['an international domain', email({ to: ['info@münchen.de', '吉@𠮷.jp'] })],
    ['UTF-8 before the at sign', email({ to: ['ü@exämple.com'], cc: ['山田@example.jp'], bcc: ['😀@example.com'] })],
    ['a subject of 500 characters outside of the basic plane', email({ subject: '😀'.repeat(500) })],
    ['a file name of 1,000 characters', output({ filename: '😀'.repeat(1_000) })],
    ['PDF options of a PDF', pdf({})],
    ['an archive without a password', pdf({ archive: 'PDF/A-2b', password: null, permissions: null })],
    ['highlights in a .docx', output({ onMissing: 'highlight' })],
    ['null for output and callback', { data: {}, output: null, callbackUrl: null }],
    ['null for every field of output', output(nulls('format', 'filename', 'locale', 'timezone', 'onMissing', 'pdf'))],
    ['null for every field of an e-mail', email(nulls('cc', 'bcc', 'subject', 'body'))],
    ['null for every field of pdf', pdf(nulls(...pdfFields))],
    ['null for every permission', pdf({ permissions: nulls('printing', 'changes', 'copying', 'accessibility') })],
    ['a date with an offset', output({ documentDate: '2026-03-31T14:30:00.5+02:00' })],
  ])('%s', (_what, request) => {
    expect([allows(request), refusalOf(request)]).toEqual([true, []]);
  });
});

const plainAddress = 'must be a plain e-mail address such as name@example.com';
const together = 'output.email: to, cc and bcc together must name at most 50 recipients';
const oneLine = 'must not contain line breaks, control characters or lone surrogates';
const storable = 'must not contain null characters or lone surrogates';
const onlyPdf = 'output.pdf: can only be given when output.format is pdf';
const isoDate =
  'output.documentDate: must be a date and time with its offset from UTC, such as 2026-03-31T14:30:00+02:00, in the years 1900 to 2999';

describe('the document and the service refuse', () => {
  test.each<[string, unknown, string]>([
    ['an array', [], 'body: must be an object'],
    ['a text', 'data', 'body: must be an object'],
    ['null', null, 'body: must be an object, not null'],
    ['no data', {}, 'data: is missing'],
    ['data that is null', { data: null }, 'data: must be an object, not null'],
    ['data that is an array', { data: [] }, 'data: must be an object'],
    ['data that is a text', { data: 'x' }, 'data: must be an object'],
    ['an unknown field', { data: {}, ouput: {} }, 'ouput: is not a known field'],
    ['a __proto__ beside data', JSON.parse('{"data":{},"__proto__":{}}'), '__proto__: is not a known field'],
    ['a __proto__ in output', output(JSON.parse('{"__proto__":{}}')), 'output.__proto__: is not a known field'],
    ['output that is an array', { data: {}, output: [] }, 'output: must be an object'],
    ['an unknown field of output', output({ colour: 'red' }), 'output.colour: is not a known field'],
    ['an unknown format', output({ format: 'odt' }), 'output.format: must be docx or pdf'],
    ['a format in capitals', output({ format: 'PDF' }), 'output.format: must be docx or pdf'],
    ['an empty file name', output({ filename: '' }), 'output.filename: must have at least 1 characters'],
    ['a file name that is a number', output({ filename: 1 }), 'output.filename: must be a text'],
    [
      'a file name of 1,001 characters',
      output({ filename: 'x'.repeat(1_001) }),
      'output.filename: must have at most 1,000 characters',
    ],
    [
      'a locale that is none',
      output({ locale: 'not a language' }),
      'output.locale: must be a language such as en-GB or de',
    ],
    [
      'another policy for missing values',
      output({ onMissing: 'ignore' }),
      'output.onMissing: must be empty, error or highlight',
    ],
    [
      'highlights in a PDF',
      output({ format: 'pdf', onMissing: 'highlight' }),
      'output.onMissing: can only be highlight when output.format is docx',
    ],
    [
      'another policy for missing glyphs',
      output({ onMissingGlyph: 'ignore' }),
      'output.onMissingGlyph: must be warn or error',
    ],
    [
      'another policy for external content',
      output({ docx: { externalContent: 'drop' } }),
      'output.docx.externalContent: must be keep or remove',
    ],
    ['a date without a time', output({ documentDate: '2026-03-31' }), isoDate],
    ['a date without an offset', output({ documentDate: '2026-03-31T14:30:00' }), isoDate],
    ['a date before 1900', output({ documentDate: '1899-12-31T23:59:59Z' }), isoDate],
    ['a word for a date', output({ documentDate: 'today' }), isoDate],
    ['an empty callback', { data: {}, callbackUrl: '' }, 'callbackUrl: must have at least 1 characters'],
    ['a callback that is a number', { data: {}, callbackUrl: 7 }, 'callbackUrl: must be a text'],
  ])('%s', (_what, request, refusal) => {
    expect([allows(request), refusalOf(request)]).toEqual([false, [refusal]]);
  });

  test.each<[string, object, string]>([
    ['no recipient', { to: [] }, 'output.email.to: must name at least one recipient'],
    ['recipients that are null', { to: null }, 'output.email.to: must be a list, not null'],
    ['recipients that are no list', { to: 'a@example.com' }, 'output.email.to: must be a list'],
    ['a recipient that is null', { to: [null] }, 'output.email.to[0]: must be an e-mail address'],
    ['51 recipients', { to: people(51) }, together],
    ['the same recipient 51 times', { to: Array(51).fill('a@example.com') }, together],
    ['51 hidden copies', { bcc: people(51) }, together],
    ['no domain', { to: ['a@example.com', 'ada'] }, `output.email.to[1]: ${plainAddress}`],
    ['a quoted local part', { to: ['"ü x"@example.com'] }, `output.email.to[0]: ${plainAddress}`],
    ['a line end in a copy', { cc: ['a@example.com\r\nBcc: x@example.com'] }, `output.email.cc[0]: ${plainAddress}`],
    ['a space in a hidden copy', { bcc: [' a@example.com'] }, `output.email.bcc[0]: ${plainAddress}`],
    ['an empty subject', { subject: '' }, 'output.email.subject: must not be blank'],
    ['a blank subject', { subject: ' \u00a0 ' }, 'output.email.subject: must not be blank'],
    ['a subject of two lines', { subject: 'a\r\nBcc: x@example.com' }, `output.email.subject: ${oneLine}`],
    ['half a surrogate in the subject', { subject: 'a\ud800' }, `output.email.subject: ${oneLine}`],
    [
      'a subject of 501 characters',
      { subject: 'x'.repeat(501) },
      'output.email.subject: must have at most 500 characters',
    ],
    ['an empty body', { body: '' }, 'output.email.body: must have at least 1 characters'],
    ['a null character in the body', { body: 'a\0b' }, `output.email.body: ${storable}`],
    ['half a surrogate in the body', { body: 'a\udc00b' }, `output.email.body: ${storable}`],
    ['an unknown field', { replyTo: 'a@example.com' }, 'output.email.replyTo: is not a known field'],
  ])('an e-mail with %s', (_what, fields, refusal) => {
    expect([allows(email(fields)), refusalOf(email(fields))]).toEqual([false, [refusal]]);
  });

  test('an e-mail with copies alone', () => {
    const request = output({ email: { cc: ['a@example.com'] } });
    expect([allows(request), refusalOf(request)]).toEqual([false, ['output.email.to: is missing']]);
  });

  test.each<[string, unknown, string]>([
    ['without a format', output({ pdf: {} }), onlyPdf],
    ['of a .docx', output({ format: 'docx', pdf: {} }), onlyPdf],
    ['that are unknown', pdf({ colour: 'red' }), 'output.pdf.colour: is not a known field'],
    [
      'with an unknown archive',
      pdf({ archive: 'PDF/A-9' }),
      'output.pdf.archive: must be PDF/A-1b, PDF/A-2b or PDF/A-3b',
    ],
    [
      'with an archive and a password',
      pdf({ archive: 'PDF/A-2b', password: 'x' }),
      'output.pdf.password: cannot be used with PDF/A-2b, which forbids encryption',
    ],
    [
      'with an archive and permissions',
      pdf({ archive: 'PDF/A-2b', permissions: {} }),
      'output.pdf.permissions: cannot be used with PDF/A-2b, which forbids encryption',
    ],
    [
      'with access that is denied to screen readers',
      pdf({ accessible: true, permissions: { accessibility: false } }),
      'output.pdf.permissions.accessibility: must not be false in an accessible PDF',
    ],
    [
      'with an unknown permission',
      pdf({ permissions: { printing: 'maybe' } }),
      'output.pdf.permissions.printing: must be none, low or high',
    ],
    ['with an unknown engine', pdf({ engine: 'word' }), 'output.pdf.engine: must be auto or office'],
    [
      'with another policy for standards',
      pdf({ onNonconformance: 'x' }),
      'output.pdf.onNonconformance: must be warn or error',
    ],
    ['with an empty password', pdf({ password: '' }), 'output.pdf.password: must have at least 1 characters'],
    ['with a password of two lines', pdf({ password: 'a\nb' }), `output.pdf.password: ${oneLine}`],
    [
      'with a password of 128 characters',
      pdf({ password: 'x'.repeat(128) }),
      'output.pdf.password: must have at most 127 characters',
    ],
    ['with half a surrogate in the watermark', pdf({ watermark: 'a\ud800' }), `output.pdf.watermark: ${oneLine}`],
    [
      'with a watermark of 101 characters',
      pdf({ watermark: 'x'.repeat(101) }),
      'output.pdf.watermark: must have at most 100 characters',
    ],
    ['with pages in words', pdf({ pages: 'all' }), 'output.pdf.pages: must be page numbers and ranges, such as 1-3,5'],
    ['with a quality of 0', pdf({ imageQuality: 0 }), 'output.pdf.imageQuality: must be at least 1'],
    ['with a quality of 101', pdf({ imageQuality: 101 }), 'output.pdf.imageQuality: must be at most 100'],
    ['with a quality of 1.5', pdf({ imageQuality: 1.5 }), 'output.pdf.imageQuality: must be a whole number'],
  ])('PDF options %s', (_what, request, refusal) => {
    expect([allows(request), refusalOf(request)]).toEqual([false, [refusal]]);
  });
});

test.each<[string, unknown, string]>([
  ['a time zone', output({ timezone: 'Mars/Olympus' }), 'output.timezone: must be a time zone such as Europe/Berlin'],
  ['30 February', output({ documentDate: '2026-02-30T00:00:00Z' }), isoDate],
  ['a date that is in 1899 in UTC', output({ documentDate: '1900-01-01T00:00:00+01:00' }), isoDate],
  ['a date that is in 3000 in UTC', output({ documentDate: '2999-12-31T23:59:59-01:00' }), isoDate],
  ['51 recipients in two lists', email({ cc: people(25), bcc: people(50).slice(25) }), together],
  [
    '65 octets before the at sign',
    email({ bcc: [`a${'ü'.repeat(32)}@example.com`] }),
    `output.email.bcc[0]: ${plainAddress}`,
  ],
])('the service alone refuses %s, of which the document has only the form', (_what, request, refusal) => {
  expect([allows(request), refusalOf(request)]).toEqual([true, [refusal]]);
});

test('all invalid fields are reported together', () => {
  const fields = { format: 'x', filename: 5, email: { to: 'a@example.com', subject: 7, body: '' }, more: 1 };
  expect(refusalOf({ data: [], output: fields }).map((line) => line.split(':')[0])).toEqual([
    ...['data', 'output.format', 'output.filename'],
    ...['output.email.to', 'output.email.subject', 'output.email.body', 'output.more'],
  ]);
});

test('equal dates are equal texts, in UTC and whole seconds', () => {
  expect(toUtc('2026-04-01T00:30:00.5+02:00')).toBe('2026-03-31T22:30:00Z');
  expect(toUtc(undefined)).toBeUndefined();
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
    // These are looked up or counted together: the schema describes their form. The policy of addresses checks URLs later.
    const isDescribed = accepts(value)
      ? allows.errors?.every(({ instancePath }) => instancePath === '/callbackUrl')
      : refusalOf(value).every((line) => /^output\.(locale|timezone|email)|together/.test(line));
    expect(isDescribed, JSON.stringify(value).slice(0, 500)).toBe(true);
  }
  expect(rejected).toBeGreaterThan(500);
});
