import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { letter } from '../api/samples.ts';
import { checkScreens, useConsole } from '../console/use-console.ts';

const { newClient, clientOf, operator, url, line } = await useOwnStack();
const open = useConsole(url);
const pool = new pg.Pool({ connectionString: line.env.DATABASE_URL, max: 1 });
afterAll(() => pool.end());
const client = await newClient();
const { id } = await client.template('letter.docx', letter('Dear {name}', '{text}', 'Yours'));
/** A proof makes some fifteen documents with both engines, and only while no caller waits. */
const proofWait = { timeout: 240_000, interval: 500 };

interface EngineState {
  readonly pdfEngine: 'office' | 'direct';
  readonly pdfEngineReasons: readonly string[];
  readonly proving: boolean;
}

interface MadeBy {
  readonly pdfEngine: string;
  readonly pdfEngineReasons?: readonly string[];
  readonly engine: { readonly name: string };
}

const ada = { name: 'Ada', text: 'We thank you for your order. '.repeat(30) };

async function stateOf(template: string): Promise<EngineState> {
  return (await client.call('GET', `/v1/templates/${template}`)).json<EngineState>();
}

/** Requests a PDF, checks that it is one, and returns the engine that made it. */
async function engineOf(template: string, data: object, pdf?: object): Promise<string> {
  const answer = await client.generate(template, { data, output: { format: 'pdf', pdf } });
  expect([answer.status, answer.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  const job = await client.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`);
  const { pdfEngine, pdfEngineReasons, engine } = job.json<MadeBy>();
  expect(pdfEngineReasons).toEqual(pdfEngine === 'direct' ? undefined : [expect.any(String)]);
  expect(engine.name).toBe(pdfEngine === 'direct' ? 'Docmill' : 'LibreOffice');
  return pdfEngine;
}

describe('a service with the default configuration', () => {
  beforeAll(async () => {
    // The upload starts the proof, before any PDF is requested.
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ pdfEngine: 'direct' }), proofWait);
  });

  test('a template is laid out directly once it is proven, and equal requests have equal bytes', async () => {
    expect(await stateOf(id)).toMatchObject({ pdfEngine: 'direct', pdfEngineReasons: [] });
    expect(await engineOf(id, ada)).toBe('direct');
    const request = { data: ada, output: { format: 'pdf' } };
    const [one, other] = [await client.generate(id, request), await client.generate(id, request)];
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  test.each([
    ['the request asks for it', { engine: 'office' }],
    ['the PDF is an archive of the first part', { archive: 'PDF/A-1b' }],
    ['the PDF is an archive with a watermark', { archive: 'PDF/A-2b', watermark: 'COPY' }],
  ])('LibreOffice makes the PDF if %s', async (_title, pdf) => {
    expect(await engineOf(id, ada, pdf)).toBe('office');
    expect(await stateOf(id)).toMatchObject({ pdfEngine: 'direct', proving: false });
  });

  test('passwords, permissions, watermarks, pages and the quality of pictures do not need LibreOffice', async () => {
    const pdf = {
      password: 'open sesame',
      permissions: { copying: false },
      watermark: 'COPY',
      pages: '1',
      imageQuality: 60,
    };
    expect(await engineOf(id, ada, pdf)).toBe('direct');
    const { bytes } = await client.generate(id, { data: ada, output: { format: 'pdf', pdf } });
    const textOf = async (password: string): Promise<string> => {
      const file = await getDocument({ data: new Uint8Array(bytes), password }).promise;
      const { items } = await (await file.getPage(1)).getTextContent();
      return items.map((item) => ('str' in item ? item.str : '')).join('');
    };
    expect(await textOf('open sesame')).toMatch(/Dear Ada.*C.*O.*P.*Y/);
    await expect(textOf('open')).rejects.toThrow(/password/i);
  });

  test('documents of test keys and previews are laid out directly, with their marks', async () => {
    const { apiKey } = await operator.run<{ apiKey: string }>('create-key', {
      account: client.accountId,
      kind: 'test',
    });
    const tester = clientOf(apiKey);
    const made = await tester.generate(id, { data: ada, output: { format: 'pdf' } });
    const job = (await client.call('GET', `/v1/jobs/${made.headers.get('Document-Id')}`)).json<MadeBy>();
    expect(job.pdfEngine).toBe('direct');
    const preview = await client.call('POST', '/v1/templates/preview', { json: { templateId: id, data: ada } });
    for (const { bytes } of [made, preview]) {
      expect(bytes.toString('latin1')).toContain('/Subtype/Watermark');
      expect(bytes.toString('latin1')).toContain('/Producer (Docmill)');
    }
  });

  test('a proof holds for the included templates, and is made again for others', async () => {
    const terms = await client.template('terms.docx', letter('Pay within {days} days.'));
    const main = await client.template('contract.docx', letter('Dear {name}', '{include "terms"}'));
    const data = { name: 'Ada', days: 30 };
    await expect.poll(() => stateOf(main.id), proofWait).toMatchObject({ pdfEngine: 'direct' });
    expect(await engineOf(main.id, data)).toBe('direct');
    await client.reupload(terms.id, 'terms.docx', letter('Pay at once, within {days} days.'));
    expect(await engineOf(main.id, data)).toBe('office');
    await expect.poll(() => stateOf(main.id), proofWait).toMatchObject({ pdfEngine: 'direct', proving: false });
    expect(await engineOf(main.id, data)).toBe('direct');
  });

  test.each([
    [{ archive: 'PDF/A-2b' }, ['PDF/A-2b']],
    [{ archive: 'PDF/A-2u', accessible: true, onNonconformance: 'error' }, ['PDF/A-2u', 'PDF/UA-1']],
    [{ archive: 'PDF/A-3b' }, ['PDF/A-3b']],
  ])('a PDF with %j is laid out directly, and conforms', async (pdf, standards) => {
    const answer = await client.generate(id, { data: ada, output: { format: 'pdf', pdf } });
    expect(answer.status).toBe(200);
    const job = await client.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`);
    expect(job.json()).toMatchObject({
      pdfEngine: 'direct',
      warnings: [],
      conformance: { passed: true, standards: standards.map((standard) => ({ standard, passed: true })) },
    });
  });

  test('a document with an unforeseen character is made by LibreOffice in the same job', async () => {
    expect(await engineOf(id, { ...ada, name: 'عائشة' })).toBe('office');
    expect(await engineOf(id, ada)).toBe('direct');
  });

  test('a template with an unknown feature stays with LibreOffice, and shows the reason', async () => {
    const unknown = buildDocx({ body: `${paragraph('{name}')}<w:customXml>${paragraph('x')}</w:customXml>` });
    const { id: other } = await client.template('unknown.docx', unknown);
    const reasons = async () => (await stateOf(other)).pdfEngineReasons.join(' ');
    await expect.poll(reasons, proofWait).toMatch(/w:customXml/);
    expect(await stateOf(other)).toMatchObject({ pdfEngine: 'office' });
    expect(await engineOf(other, ada)).toBe('office');
  });

  test('an upload says that its pages are being compared, and why LibreOffice lays it out is a page of the console', async () => {
    const framed = '<w:p><w:pPr><w:framePr w:w="3000"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>';
    const body = `${paragraph('Dear {name}')}${framed}<w:p><w:pPr><w:mirrorIndents/></w:pPr></w:p>`;
    const { id: other } = await client.template('framed.docx', buildDocx({ body }));
    const first = await stateOf(other);
    expect(first).toMatchObject({ pdfEngine: 'office', pdfEngineReasons: [expect.any(String)] });
    await expect.poll(() => stateOf(other), proofWait).toMatchObject({ pdfEngine: 'office', proving: false });
    const { page, close } = await open(client.apiKey, { path: `/templates/${other}` });
    await page.getByRole('link', { name: 'Why LibreOffice' }).click();
    await page.getByRole('heading', { name: 'Why LibreOffice', level: 1 }).waitFor();
    await page.getByText('Not laid out directly: a paragraph in a frame (w:framePr).').waitFor();
    await page.getByText('What helps in Word: remove the frame').waitFor();
    await page.locator('.pdf-page canvas').first().waitFor();
    await page.getByText('No place on these pages is known.').waitFor();
    expect(await page.locator('.pdf-mark').count()).toBe(0);
    expect(await checkScreens(page)).toEqual([]);
    if (process.env.KEEP_PICTURES) await page.screenshot({ path: `${process.env.KEEP_PICTURES}/features.png` });

    // As if a proof had found this difference; no two engines of a healthy service differ.
    const reason =
      'With the example data, page 1 differs 2.5 cm from the left and 3.0 cm from the top (text: 1 character).';
    await pool.query('update layout_proofs set reasons = $2 where template_id = $1', [other, JSON.stringify([reason])]);
    await page.reload();
    await page.getByText(reason).waitFor();
    await page.locator('.pdf-mark').first().waitFor();
    expect(await page.locator('.pdf-mark').getAttribute('aria-label')).toBe(reason);
    expect(await checkScreens(page)).toEqual([]);
    if (process.env.KEEP_PICTURES) await page.screenshot({ path: `${process.env.KEEP_PICTURES}/place.png` });
    await close();
  });
});
