import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem, type TemplateMetadata, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, buildZip, footnoteReference, paragraph, table } from '../../support/documents/docx-builder.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const file = letter('Dear {name}');
let client: TestClient;
let kept: TemplateMetadata;

beforeAll(async () => {
  client = await newClient();
  kept = await client.template('kept.docx', file);
});

const uploads: readonly [operation: string, method: string, path: () => string][] = [
  ['upload', 'POST', () => '/v1/templates'],
  ['re-upload', 'PUT', () => `/v1/templates/${kept.id}/content`],
];

describe.each(uploads)('%s', (_operation, method, path) => {
  const send = (body: RequestInit['body']) => client.call(method, path(), { body });

  /** Nothing is stored, charged or changed by a refusal. */
  afterEach(async () => {
    expect((await client.call('GET', '/v1/templates')).json<unknown[]>()).toHaveLength(1);
    expect((await client.call('GET', `/v1/templates/${kept.id}`)).json()).toMatchObject({
      name: 'kept.docx',
      version: 1,
    });
    expect((await client.call('GET', `/v1/templates/${kept.id}/content`)).bytes.equals(file)).toBe(true);
    expect((await client.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
  });

  test('a template without tags gets the exact response of the contract', async () => {
    const answer = await send(uploadForm('a.docx', letter('Dear customer', 'nothing to fill')));
    expect(answer.status).toBe(400);
    expect(answer.json()).toStrictEqual({
      error: {
        status: 400,
        message: 'Template validation errors',
        details: [
          {
            type: 'Message',
            message: 'The template contains no tags.',
            hint: 'Write a tag where data belongs, for example {name}.',
          },
        ],
      },
    });
  });

  test('each broken tag is reported with the tag and its location', async () => {
    const broken = buildDocx({
      body:
        paragraph('Dear {name, how are you') +
        paragraph('{#items}{label}') +
        table([['total', '{/sum}']]) +
        `<w:p>${footnoteReference(1)}</w:p>`,
      headers: [paragraph('no. number}')],
      footers: [paragraph('{page} of {{pages}}')],
      footnotes: [paragraph('{#a}{#b}{/a}{/b}')],
    });
    const { details = [] } = expectProblem(
      await send(uploadForm('a.docx', broken)),
      400,
      /^Template validation errors$/,
    );
    const found = details.map(({ type, tag, part }) => [type, part, tag]);
    expect(found).toEqual([
      ['Message', 'body', '{name,'],
      ['Message', 'body', '{#items}'],
      ['Message', 'body', '{/sum}'],
      ['Message', 'header 1', 'number}'],
      ['Message', 'footer 1', '{{pages}}'],
      ['Message', 'footnotes', '{#b}'],
      ['Message', 'footnotes', '{/b}'],
    ]);
    for (const { message, context } of details) {
      expect(message).toMatch(/[a-z]/);
      expect(context).toMatch(/\S/);
    }
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'), /is a PDF/],
    ['an HTML page', () => Buffer.from('<!DOCTYPE html><html><body>{name}</body></html>'), /HTML/],
    ['a text', () => Buffer.from('Dear {name}'), /not a Word document/],
    ['an RTF', () => Buffer.from('{\\rtf1\\ansi Dear \\{name\\}}'), /\.rtf/],
    [
      'an old .doc',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      /old Office format/,
    ],
    ['a .zip', () => buildZip(new Map([['a.txt', 'Dear {name}']])), /zip archive, but not a Word document/],
    [
      'an .odt',
      () =>
        buildZip(
          new Map([
            ['content.xml', '<x/>'],
            ['META-INF/manifest.xml', '<x/>'],
          ]),
        ),
      /\.odt/,
    ],
    [
      'a .docm',
      () =>
        buildDocx({
          body: paragraph('{x}'),
          mainContentType: 'application/vnd.ms-word.document.macroEnabled.main+xml',
        }),
      /\.docm/,
    ],
    ['a cut off .docx', () => file.subarray(0, file.length - 40), /damaged|not a Word document/],
    ['random bytes', () => Buffer.alloc(5_000, 7), /not a Word document/],
  ])('%s is recognized', async (_name, bytes, message) => {
    const { details } = expectProblem(await send(uploadForm('a.docx', bytes())), 400, /^Template validation errors$/);
    expect(details).toEqual([expect.objectContaining({ type: 'Message', message: expect.stringMatching(message) })]);
  });
});
