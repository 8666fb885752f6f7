import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, docxType, expectProblem, pdfType } from '../../support/client/api-client.ts';
import type { CaughtMail } from '../../support/client/mailbox.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText, pdfText } from '../../support/documents/document-text.ts';
import { address, letter } from '../api/samples.ts';
import { expectSuccess } from './contract-client.ts';

/** The sentences of the contract about Generate Document, by its numbers of sections. */
const { newClient, mailbox } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Offer.docx', letter('Dear {name}', '{#items}{label}: {price}; {/items}'))).id;
});

const generate = (request: unknown): Promise<Answer> => client.generate(id, request);
const data = {
  name: 'Ada',
  items: [
    { label: 'Book', price: 12 },
    { label: 'Pen', price: 1.5 },
  ],
};
const filled = 'Dear Ada\nBook: 12; Pen: 1.5; ';
const fileNameOf = ({ headers }: Answer) => /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1];

describe('2.3 Generate request body', () => {
  test.each([[{}], [{ output: {} }], [{ data: 'text' }], [{ data: [] }], [{ data: null }]])(
    'data is a required object: %j gets 400',
    async (request) => {
      expectProblem(await generate(request), 400);
    },
  );

  test('the keys of data match the placeholders; values are scalars or arrays of objects', async () => {
    expect(docxText(expectSuccess(await generate({ data })).bytes)).toBe(filled);
    for (const [value, printed] of [
      ['text', 'text'],
      [4.25, '4.25'],
      [true, 'true'],
    ] as const)
      expect(docxText((await generate({ data: { name: value } })).bytes)).toContain(`Dear ${printed}`);
  });

  test('output is optional, and so is each of its fields', async () => {
    for (const output of [undefined, {}])
      expect((await generate({ data, output })).headers.get('Content-Type')).toBe(docxType);
  });

  test.each([[{ output: 'pdf' }], [{ output: [] }], [{ output: { filename: 1 } }], [{ output: { email: true } }]])(
    'output is an object, with a text as its filename and an object as its email: %j gets 400',
    async (rest) => {
      expectProblem(await generate({ data, ...rest }), 400);
    },
  );

  test('output.format is docx or pdf; anything else gets 400', async () => {
    expect((await generate({ data, output: { format: 'docx' } })).headers.get('Content-Type')).toBe(docxType);
    for (const format of ['odt', 'PDF', '', 1]) expectProblem(await generate({ data, output: { format } }), 400);
  });

  test('output.filename names the output, which is otherwise named after the template', async () => {
    expect(fileNameOf(await generate({ data, output: { filename: 'for-ada.docx' } }))).toBe('for-ada.docx');
    expect(fileNameOf(await generate({ data }))).toBe('Offer.docx');
    expect(fileNameOf(await generate({ data, output: { format: 'pdf' } }))).toBe('Offer.pdf');
  });
});

describe('4.2 Generate rules', () => {
  test('1: template_id names the template to use', async () => {
    const other = await client.template('Other.docx', letter('Other {name}'));
    expect(docxText((await client.generate(other.id, { data })).bytes)).toBe('Other Ada');
    expectProblem(await client.generate(`tpl_${'0'.repeat(26)}`, { data }), 404);
  });

  test('2: the request is application/json', async () => {
    const form = new FormData();
    form.append('data', JSON.stringify(data));
    expectProblem(await client.call('POST', `/v1/templates/${id}/generate`, { body: form }), 400);
  });

  test('3 and 4: without a format the response is the bytes of a .docx, with its Content-Type', async () => {
    const { headers, bytes } = expectSuccess(await generate({ data }));
    expect(headers.get('Content-Type')).toBe(docxType);
    expect(docxText(bytes)).toBe(filled);
  });

  test('4: with the format pdf it is the bytes of a PDF, with its Content-Type', async () => {
    const { headers, bytes } = expectSuccess(await generate({ data, output: { format: 'pdf' } }));
    expect(headers.get('Content-Type')).toBe(pdfType);
    expect(await pdfText(bytes)).toContain('Dear Ada');
  });

  test('5: each generation consumes one credit, and a refused one none', async () => {
    const payer = await newClient({ docs: 3 });
    const template = await payer.template('Offer.docx', letter('Dear {name}'));
    const left = async () => (await payer.quotas()).remaining.total.docs;
    for (const [request, rest] of [
      [{ data }, 2],
      [{ data: 'text' }, 2],
      [{ data, output: { format: 'pdf' } }, 1],
    ] as const) {
      await payer.generate(template.id, request);
      expect(await left()).toBe(rest);
    }
  });
});

describe('2.4 EmailOptions, and rule 6 of 4.2', () => {
  async function mailOf(email: { readonly to: readonly string[] } & Record<string, unknown>): Promise<CaughtMail> {
    expectSuccess(await generate({ data, output: { email } }));
    const [to = ''] = email.to;
    await expect.poll(async () => (await mailbox.to(to)).length).toBe(1);
    return (await mailbox.to(to))[0] as CaughtMail;
  }

  test.each([[{}], [{ to: [] }], [{ to: 'ada@inbox.example' }], [{ cc: ['ada@inbox.example'] }], [{ to: ['ada'] }]])(
    'to is a required list of addresses: %j gets 400',
    async (email) => {
      expectProblem(await generate({ data, output: { email } }), 400);
    },
  );

  const to = ['ada@inbox.example'];
  test.each([[{ cc: 'ada@inbox.example' }], [{ bcc: ['ada'] }], [{ subject: 1 }], [{ body: ['text'] }]])(
    'cc and bcc are lists of addresses, subject and body are texts: %j gets 400',
    async (rest) => {
      expectProblem(await generate({ data, output: { email: { to, ...rest } } }), 400);
    },
  );

  test('to, cc and bcc receive the document, with the default subject and body', async () => {
    const [to, cc, bcc] = [address('to'), address('cc'), address('bcc')];
    const { envelopeTo, subject, text, attachments } = await mailOf({ to: [to], cc: [cc], bcc: [bcc] });
    expect(envelopeTo.toSorted()).toEqual([to, cc, bcc].toSorted());
    expect([subject, text]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    expect(docxText(Buffer.from(attachments[0]?.content as ArrayBuffer))).toBe(filled);
  });

  test('subject and body replace the default ones; the body is text or HTML', async () => {
    const plain = await mailOf({ to: [address()], subject: 'Your offer', body: 'Dear Ada, here it is.' });
    expect([plain.subject, plain.text?.trim(), plain.html]).toEqual(['Your offer', 'Dear Ada, here it is.', undefined]);
    const rich = await mailOf({ to: [address()], body: '<p>Dear <b>Ada</b></p>' });
    expect(rich.html).toContain('<b>Ada</b>');
  });
});
