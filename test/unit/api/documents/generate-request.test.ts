import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../../src/api/documentation/openapi-document.ts';
import { generateRequest } from '../../../../src/api/documents/generate-request.ts';
import { toUtc } from '../../../../src/api/documents/output-options.ts';
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

/** The refusal that the service sends for a request: one line for each field. */
function refusalOf(value: unknown): readonly string[] {
  try {
    parseRequest(generateRequest, value);
    return [];
  } catch (error) {
    return ((error as AppError).details ?? []).map(
      (detail) => `${'path' in detail ? detail.path : ''}: ${detail.message}`,
    );
  }
}

const output = (fields: object) => ({ data: {}, output: fields });
const email = (fields: object) => output({ email: { to: ['a@example.com'], ...fields } });
const pdf = (fields: object) => output({ format: 'pdf', pdf: fields });
const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.com`);
const nulls = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const pdfFields = ['archive', 'accessible', 'password', 'permissions', 'watermark', 'pages', 'imageQuality', 'engine'];

describe('requests that the OpenAPI document and the service accept', () => {
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
    [
      'a protected .docx',
      output({ docx: { comments: 'remove', protection: { mode: 'forms', password: 'x'.repeat(15) } } }),
    ],
    [
      'null for every option of a .docx',
      output({ docx: nulls('contentControls', 'comments', 'trackedChanges', 'protection') }),
    ],
    ['null for every permission', pdf({ permissions: nulls('printing', 'changes', 'copying', 'accessibility') })],
    ['a date with an offset', output({ documentDate: '2026-03-31T14:30:00.5+02:00' })],
  ])('%s', (_what, request) => {
    expect([allows(request), refusalOf(request)]).toEqual([true, []]);
  });
});

const plainAddress = 'must be a plain e-mail address such as name@example.com';
const together = 'to, cc and bcc together must name at most 50 recipients';
const oneLine = 'must not contain line breaks, control characters or lone surrogates';
const storable = 'must not contain null characters or lone surrogates';
const onlyPdf = 'can only be given when output.format is pdf';
const noEncryption = 'cannot be used with PDF/A-2b, which forbids encryption';
const range = 'such as 2026-03-31T14:30:00+02:00, in the years 1900 to 2999';
const date = `documentDate: must be a date and time with its offset from UTC, ${range}`;
const proto = (text: string): object => JSON.parse(text);

/** Both refuse the request; the service says what is wrong. */
const bothRefuse = (request: unknown, refusal: string): void =>
  expect([allows(request), refusalOf(request)]).toEqual([false, [refusal]]);

describe('requests that the OpenAPI document and the service refuse', () => {
  test.each<[string, unknown, string]>([
    ['an array', [], 'body: must be an object'],
    ['a text', 'data', 'body: must be an object'],
    ['null', null, 'body: must be an object, not null'],
    ['no data', {}, 'data: is missing'],
    ['data that is null', { data: null }, 'data: must be an object, not null'],
    ['data that is an array', { data: [] }, 'data: must be an object'],
    ['data that is a text', { data: 'x' }, 'data: must be an object'],
    ['an unknown field', { data: {}, ouput: {} }, 'ouput: is not a known field'],
    ['a __proto__ beside data', proto('{"data":{},"__proto__":{}}'), '__proto__: is not a known field'],
    ['output that is an array', { data: {}, output: [] }, 'output: must be an object'],
    ['an empty callback', { data: {}, callbackUrl: '' }, 'callbackUrl: must have at least 1 characters'],
    ['a callback that is a number', { data: {}, callbackUrl: 7 }, 'callbackUrl: must be a string'],
  ])('%s', (_what, request, refusal) => bothRefuse(request, refusal));

  test.each<[object, string]>([
    [{ colour: 'red' }, 'colour: is not a known field'],
    [proto('{"__proto__":{}}'), '__proto__: is not a known field'],
    [{ format: 'odt' }, 'format: must be docx, pdf or xml'],
    [{ format: 'PDF' }, 'format: must be docx, pdf or xml'],
    [{ filename: '' }, 'filename: must have at least 1 characters'],
    [{ filename: 1 }, 'filename: must be a string'],
    [{ filename: 'x'.repeat(1_001) }, 'filename: must have at most 1,000 characters'],
    [{ locale: 'not a language' }, 'locale: must be a language such as en-GB or de'],
    [{ onMissing: 'ignore' }, 'onMissing: must be empty, error or highlight'],
    [{ format: 'pdf', onMissing: 'highlight' }, 'onMissing: can only be highlight when output.format is docx'],
    [{ onMissingGlyph: 'ignore' }, 'onMissingGlyph: must be warn or error'],
    [{ docx: { externalContent: 'drop' } }, 'docx.externalContent: must be keep or remove'],
    [{ docx: { comments: 'accept' } }, 'docx.comments: must be keep or remove'],
    [{ docx: { trackedChanges: 'remove' } }, 'docx.trackedChanges: must be keep or accept'],
    [
      { docx: { protection: {} } },
      'docx.protection.mode: must be readOnly, comments, trackedChanges, forms or recommended',
    ],
    [
      { docx: { protection: { mode: 'forms', password: 'x'.repeat(16) } } },
      'docx.protection.password: must have at most 15 characters',
    ],
    [{ documentDate: '2026-03-31' }, date],
    [{ documentDate: '2026-03-31T14:30:00' }, date],
    [{ documentDate: '1899-12-31T23:59:59Z' }, date],
    [{ documentDate: 'today' }, date],
    [{ pdf: {} }, `pdf: ${onlyPdf}`],
    [{ format: 'docx', pdf: {} }, `pdf: ${onlyPdf}`],
    [{ email: { cc: ['a@example.com'] } }, 'email.to: is missing'],
  ])('the output %j', (fields, refusal) => bothRefuse(output(fields), `output.${refusal}`));

  test.each<[string, object, string]>([
    ['no recipient', { to: [] }, '.to: must name at least one recipient'],
    ['recipients that are null', { to: null }, '.to: must be a list, not null'],
    ['recipients that are no list', { to: 'a@example.com' }, '.to: must be a list'],
    ['a recipient that is null', { to: [null] }, '.to[0]: must be an e-mail address'],
    ['51 recipients', { to: people(51) }, `: ${together}`],
    ['the same recipient 51 times', { to: Array(51).fill('a@example.com') }, `: ${together}`],
    ['51 hidden copies', { bcc: people(51) }, `: ${together}`],
    ['no domain', { to: ['a@example.com', 'ada'] }, `.to[1]: ${plainAddress}`],
    ['a quoted local part', { to: ['"ü x"@example.com'] }, `.to[0]: ${plainAddress}`],
    ['a line end in a copy', { cc: ['a@example.com\r\nBcc: x@example.com'] }, `.cc[0]: ${plainAddress}`],
    ['a space in a hidden copy', { bcc: [' a@example.com'] }, `.bcc[0]: ${plainAddress}`],
    ['an empty subject', { subject: '' }, '.subject: must not be blank'],
    ['a blank subject', { subject: ' \u00a0 ' }, '.subject: must not be blank'],
    ['a subject of two lines', { subject: 'a\r\nBcc: x@example.com' }, `.subject: ${oneLine}`],
    ['half a surrogate in the subject', { subject: 'a\ud800' }, `.subject: ${oneLine}`],
    ['a subject of 501 characters', { subject: 'x'.repeat(501) }, '.subject: must have at most 500 characters'],
    ['an empty body', { body: '' }, '.body: must have at least 1 characters'],
    ['a null character in the body', { body: 'a\0b' }, `.body: ${storable}`],
    ['half a surrogate in the body', { body: 'a\udc00b' }, `.body: ${storable}`],
    ['an unknown field', { replyTo: 'a@example.com' }, '.replyTo: is not a known field'],
  ])('an e-mail with %s', (_what, fields, refusal) => bothRefuse(email(fields), `output.email${refusal}`));

  test.each<[object, string]>([
    [{ colour: 'red' }, 'colour: is not a known field'],
    [{ archive: 'PDF/A-9' }, 'archive: must be PDF/A-1b, PDF/A-2b, PDF/A-2u or PDF/A-3b'],
    [{ archive: 'PDF/A-2b', password: 'x' }, `password: ${noEncryption}`],
    [{ archive: 'PDF/A-2b', permissions: {} }, `permissions: ${noEncryption}`],
    [
      { accessible: true, permissions: { accessibility: false } },
      'permissions.accessibility: must not be false in an accessible PDF',
    ],
    [{ permissions: { printing: 'maybe' } }, 'permissions.printing: must be none, low or high'],
    [{ engine: 'word' }, 'engine: must be auto or office'],
    [{ onNonconformance: 'x' }, 'onNonconformance: must be warn or error'],
    [{ password: '' }, 'password: must have at least 1 characters'],
    [{ password: 'a\nb' }, `password: ${oneLine}`],
    [{ password: 'x'.repeat(128) }, 'password: must have at most 127 characters'],
    [{ watermark: 'a\ud800' }, `watermark: ${oneLine}`],
    [{ watermark: 'x'.repeat(101) }, 'watermark: must have at most 100 characters'],
    [{ pages: 'all' }, 'pages: must be page numbers and ranges, such as 1-3,5'],
    [{ imageQuality: 0 }, 'imageQuality: must be at least 1'],
    [{ imageQuality: 101 }, 'imageQuality: must be at most 100'],
    [{ imageQuality: 1.5 }, 'imageQuality: must be a whole number'],
  ])('the PDF options %j', (options, refusal) => bothRefuse(pdf(options), `output.pdf.${refusal}`));
});

test.each<[string, object, string]>([
  ['a time zone', { timezone: 'Mars/Olympus' }, 'timezone: must be a time zone such as Europe/Berlin'],
  ['30 February', { documentDate: '2026-02-30T00:00:00Z' }, date],
  ['a date that is in 1899 in UTC', { documentDate: '1900-01-01T00:00:00+01:00' }, date],
  ['a date that is in 3000 in UTC', { documentDate: '2999-12-31T23:59:59-01:00' }, date],
  ['51 recipients in two lists', { email: { to: people(26), cc: people(51).slice(26) } }, `email: ${together}`],
  [
    '65 octets before the at sign',
    { email: { to: [`a${'ü'.repeat(32)}@example.com`] } },
    `email.to[0]: ${plainAddress}`,
  ],
])('only the service refuses %s, because the document describes only the form', (_what, fields, refusal) => {
  expect([allows(output(fields)), refusalOf(output(fields))]).toEqual([true, [`output.${refusal}`]]);
});

test('all invalid fields are reported together', () => {
  const fields = { format: 'x', filename: 5, email: { to: 'a@example.com', subject: 7, body: '' }, more: 1 };
  expect(refusalOf({ data: [], output: fields }).map((line) => line.split(':')[0])).toEqual([
    ...['data', 'output.format', 'output.filename'],
    ...['output.email.to', 'output.email.subject', 'output.email.body', 'output.more'],
  ]);
});

test('equal instants become equal strings, in UTC and whole seconds', () => {
  expect(toUtc('2026-04-01T00:30:00.5+02:00')).toBe('2026-03-31T22:30:00Z');
  expect(toUtc(undefined)).toBeUndefined();
});

test('the OpenAPI document and the service agree on values at and beyond every limit', () => {
  const random = createRandom(1);
  const components = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const makeValue = createValueMaker(random, components);
  let rejected = 0;
  for (let i = 0; i < 3_000; i += 1) {
    const valid = makeValue.valid({ $ref: '#/components/schemas/GenerateRequest' });
    const value: unknown = JSON.parse(JSON.stringify(i % 2 === 0 ? valid : makeValue.mutated(valid)));
    if (allows(value) === accepts(value)) {
      if (!accepts(value)) rejected += 1;
      continue;
    }
    // The schema describes only the form of these values. Others look them up or count them, and the address policy
    // checks URLs later.
    const isDescribed = accepts(value)
      ? allows.errors?.every(({ instancePath }) => instancePath === '/callbackUrl')
      : refusalOf(value).every((line) => /^output\.(locale|timezone|email)|together/.test(line));
    expect(isDescribed, JSON.stringify(value).slice(0, 500)).toBe(true);
  }
  expect(rejected).toBeGreaterThan(150);
});
