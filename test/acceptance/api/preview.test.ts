import { randomBytes } from 'node:crypto';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, type ApiClient, expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { searchStack } from '../../support/services/search-stack.ts';
import { formOf, type Part } from './form-bodies.ts';
import { letter, letterOfSize, megabyte } from './samples.ts';

const stack = inject('stack');
const { newClient, clientOf, operator } = await useService(stack);
const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
const red = '<w:p><w:pPr><w:shd w:val="clear" w:fill="FF0000"/></w:pPr><w:r><w:t>red {name}</w:t></w:r></w:p>';
/** Seven pages; the first has a red paragraph. */
const book = buildDocx({
  body: [red, ...[2, 3, 4, 5, 6, 7].map((page) => pageBreak + paragraph(`page ${page} for {name}`))].join(''),
});

let client: TestClient;
let templateId: string;
beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('book.docx', book)).id;
});

const data = { name: 'Ada' };
const preview = (json: object, by: ApiClient = client): Promise<Answer> =>
  by.call('POST', '/v1/templates/preview', { json });
const previewFile = (file: Uint8Array, request: unknown, by: ApiClient = client): Promise<Answer> => {
  const parts: readonly Part[] = [
    ['file', file, 'a.docx'],
    ['request', JSON.stringify(request)],
  ];
  return by.call('POST', '/v1/templates/preview', { body: formOf(parts) });
};

async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const pages = Array.from({ length: document.numPages }, async (_, i) => {
    const { items } = await (await document.getPage(i + 1)).getTextContent();
    return items.map((item) => ('str' in item ? item.str : '')).join('');
  });
  return await Promise.all(pages);
}

const marksOf = (pdf: Uint8Array) => Buffer.from(pdf).toString('latin1').split('/Subtype/Watermark').length - 1;

test('a preview is a PDF of the first five pages, each with the watermark, and has the total number of pages', async () => {
  const answer = await preview({ templateId, data });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('application/pdf');
  expect(answer.headers.get('Page-Count')).toBe('7');
  expect(answer.headers.get('Server-Timing')).toMatch(/queue;dur=.*convert;dur=.*total;dur=/);
  expect(answer.headers.get('Content-Disposition')).toContain('book.pdf');
  expect(answer.headers.get('Document-Id')).toBeNull();
  const texts = await textsOf(answer.bytes);
  expect(texts).toHaveLength(5);
  expect([texts[0], texts[4]]).toEqual(['red Ada', 'page 5 for Ada']);
  expect(Buffer.from(answer.bytes).toString('latin1')).not.toContain('page 6');
});

test('a preview of a file that is not stored has all the pages that generate makes, and the watermark', async () => {
  const answer = await previewFile(book, { data, preview: { pages: 20 } });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
  const generated = await client.generate(templateId, { data, output: { format: 'pdf' } });
  expect(await textsOf(answer.bytes)).toEqual(await textsOf(generated.bytes));
  expect([marksOf(answer.bytes), marksOf(generated.bytes)]).toEqual([2, 0]);
  expect(answer.headers.get('Page-Count')).toBe('7');
});

test('a preview may be a picture of a page, in its size and colours and with the watermark', async () => {
  const answer = await preview({ templateId, data, preview: { format: 'png', dpi: 72 } });
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 500)).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('image/png');
  expect(answer.headers.get('Page-Count')).toBe('7');
  const picture = PNG.sync.read(answer.bytes);
  // At 72 dpi a pixel is a point: the page is A4 or Letter.
  expect(picture.width).toBeGreaterThan(590);
  expect(picture.height).toBeGreaterThan(780);
  const colours = { red: 0, grey: 0, white: 0, blue: 0 };
  for (let at = 0; at < picture.data.length; at += 4) {
    const [r = 0, g = 0, b = 0] = picture.data.subarray(at, at + 3);
    if (r > 240 && g < 20 && b < 20) colours.red += 1;
    else if (b > 240 && g < 20 && r < 20) colours.blue += 1;
    else if (r === g && g === b && r > 225 && r < 242) colours.grey += 1;
    else if (r + g + b === 765) colours.white += 1;
  }
  expect(colours.red).toBeGreaterThan(2_000);
  expect(colours.blue).toBe(0);
  expect(colours.grey).toBeGreaterThan(10_000);
  expect(colours.white).toBeGreaterThan(200_000);
  const second = await preview({ templateId, data, preview: { format: 'png', page: 7, dpi: 144 } });
  expect(PNG.sync.read(second.bytes).width).toBeGreaterThan(picture.width * 1.9);
});

test('a preview has the options of generate: language, missing values, chosen pages, file name', async () => {
  const template = letter('{amount | number:2}', '{gone}');
  const answer = await previewFile(template, {
    data: { amount: 1234.5 },
    output: { locale: 'de-DE', filename: 'Ü.docx', onMissing: 'highlight' },
  });
  expect(answer.headers.get('Warnings')).toBe('1');
  expect(answer.headers.get('Warning-Codes')).toBe('missing_value');
  expect(answer.headers.get('Content-Disposition')).toContain('%C3%9C.pdf');
  expect((await textsOf(answer.bytes))[0]).toContain('1.234,50');
  expect((await textsOf(answer.bytes))[0]).toContain('{gone}');
  const chosen = await preview({ templateId, data, output: { format: 'pdf', pdf: { pages: '6-7' } } });
  expect(chosen.headers.get('Page-Count')).toBe('2');
  expect(await textsOf(chosen.bytes)).toEqual(['page 6 for Ada', 'page 7 for Ada']);
  const archived = await preview({ templateId, data, output: { pdf: { archive: 'PDF/A-2b' } } });
  expect(archived.status).toBe(200);
});

test('a preview needs no quota and is not charged, counted or listed; test keys may request it too', async () => {
  const poor = await newClient({ docs: 0, templates: 1 });
  const { id } = await poor.template('a.docx', letter('{name}'));
  const { apiKey } = await operator.run<{ apiKey: string }>('create-key', { account: poor.accountId, kind: 'test' });
  const before = await poor.quotas();
  for (const by of [poor, clientOf(apiKey)]) expect((await preview({ templateId: id, data }, by)).status).toBe(200);
  expect(await poor.quotas()).toEqual(before);
  expect((await poor.call('GET', '/v1/jobs')).json()).toEqual([]);
  const { totals } = (await poor.call('GET', '/v1/account/usage')).json<{ totals: unknown }>();
  expect(totals).toEqual({ documents: 0, pages: 0, bytes: 0, failures: 0, cancelled: 0 });
});

test('a preview leaves nothing behind in the database, in Redis, in the store or in logs', async () => {
  const word = `secret${randomBytes(12).toString('hex')}`;
  const request = { data: { name: word }, output: { filename: word, pdf: { watermark: word } } };
  expect((await previewFile(letter(`{name} ${word}`), request)).status).toBe(200);
  expectProblem(await previewFile(letter(`{#${word}}`), { data: {} }), 400);
  await expect.poll(async () => [...(await searchStack(stack, [word]))], { timeout: 240_000 }).toEqual([]);
});

describe('errors', () => {
  test('a broken template gets the errors of its upload, and incompatible data gets those of generate', async () => {
    const broken = letter('{#items} never closed', 'Dear {customer.name, hello');
    const refused = expectProblem(await previewFile(broken, { data: {} }), 400, 'Template validation errors');
    expect(refused).toEqual(expectProblem(await client.upload('bad.docx', broken), 400));
    const untagged = letter('no tags at all');
    expect(expectProblem(await previewFile(untagged, { data: {} }), 400)).toEqual(
      expectProblem(await client.upload('bad.docx', untagged), 400),
    );
    const wrong = { data: { name: { first: 'Ada' } } };
    const ofGenerate = expectProblem(await client.generate(templateId, { ...wrong, output: { format: 'pdf' } }), 400);
    expect(expectProblem(await preview({ templateId, ...wrong }), 400)).toEqual(ofGenerate);
  });

  test('an invalid field and a page beyond the last are named', async () => {
    expectProblem(await preview({ templateId, data, preview: { pages: 21 } }), 400, /^preview\.pages/);
    const answer = await preview({ templateId, data, preview: { format: 'png', page: 8 } });
    expectProblem(answer, 400, /preview\.page: .* 7 page/);
  });

  test('a template or version that does not exist or belongs to another account is not found', async () => {
    const other = await newClient();
    expectProblem(await preview({ templateId, data }, other), 404);
    expectProblem(await preview({ templateId, version: 2, data }), 404);
    expectProblem(await preview({ templateId: `tpl_${'0'.repeat(26)}`, data }), 404);
  });

  test('a form is refused when its file is too large or not a template; its request may be a file', async () => {
    const post = (...parts: readonly Part[]) => client.call('POST', '/v1/templates/preview', { body: formOf(parts) });
    const request: Part = ['request', JSON.stringify({ data })];
    expectProblem(await post(['file', letterOfSize(10 * megabyte + 1), 'a.docx'], request), 400, /10 MB/);
    expectProblem(await post(['file', Buffer.from('no zip'), 'a.docx'], request), 400);
    expect((await post(['file', book, 'a.docx'], [...request, 'request.json'] as unknown as Part)).status).toBe(200);
  });
});

test('previews have a rate limit of their own, which other requests do not use up', async () => {
  const other = await newClient();
  const missing = { templateId: `tpl_${'0'.repeat(26)}`, data };
  const answers: Answer[] = [];
  // A window of the rate limit may end in between.
  while (answers.at(-1)?.status !== 429) answers.push(await preview(missing, other));
  const statuses = answers.map(({ status }) => status);
  expect(answers[0]?.headers.get('RateLimit-Policy')).toMatch(/^"default";q=\d+;w=\d+, "preview";q=60;w=60$/);
  expect(answers[0]?.headers.get('RateLimit')).toMatch(/, "preview";r=59;t=\d+$/);
  expect(statuses).toContain(404);
  const refused = answers.at(-1);
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await other.call('GET', '/v1/jobs')).status).toBe(200);
});
