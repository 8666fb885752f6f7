import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useOwnStack } from '../../support/services/own-stack.ts';
import { letter } from '../api/samples.ts';

const { newClient } = await useOwnStack({ DIRECT_PDF: 'on' });
const client = await newClient();
const { id } = await client.template('letter.docx', letter('Dear {name}', '{text}', 'Yours'));
/** A proof makes some fifteen documents with both engines, and only while no caller waits. */
const proofWait = { timeout: 240_000, interval: 500 };

interface EngineState {
  readonly pdfEngine: 'office' | 'direct';
  readonly pdfEngineReasons: readonly string[];
}

interface MadeBy {
  readonly pdfEngine: string;
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
  const { pdfEngine, engine } = job.json<MadeBy>();
  expect(engine.name).toBe(pdfEngine === 'direct' ? 'Docmill' : 'LibreOffice');
  return pdfEngine;
}

describe('DIRECT_PDF=on', () => {
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
    ['the PDF has a password', { password: 'open sesame' }],
  ])('LibreOffice makes the PDF if %s', async (_title, pdf) => {
    expect(await engineOf(id, ada, pdf)).toBe('office');
    expect(await stateOf(id)).toMatchObject({ pdfEngine: 'direct' });
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
});
