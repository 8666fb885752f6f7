import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';

const { newClient } = await useService(inject('stack'));
const heading = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Deep</w:t></w:r></w:p>';
let client: TestClient;
let good: string;
let bad: string;
beforeAll(async () => {
  client = await newClient();
  good = (await client.template('good.docx', buildDocx({ body: paragraph('one {x}') }))).id;
  bad = (await client.template('bad.docx', buildDocx({ body: heading + paragraph('one {x}') }))).id;
});

async function generate(id: string, pdf: unknown) {
  return client.generate(id, { data: { x: 'page' }, output: { format: 'pdf', pdf } });
}

async function jobOf(answer: { readonly headers: Headers }): Promise<Record<string, unknown>> {
  const job = await client.call('GET', `/v1/jobs/${answer.headers.get('document-id')}`);
  return job.json() as Record<string, unknown>;
}

describe('a PDF with a standard', () => {
  test('is checked, and the job shows that it passed', async () => {
    const answer = await generate(good, { archive: 'PDF/A-2b', accessible: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('warnings')).toBeNull();
    const { conformance, warnings } = await jobOf(answer);
    expect(warnings).toEqual([]);
    expect(conformance).toEqual({
      passed: true,
      standards: [
        { standard: 'PDF/A-2b', passed: true, checked: expect.any(Number), failures: [] },
        { standard: 'PDF/UA-1', passed: true, checked: expect.any(Number), failures: [] },
      ],
    });
  });

  test('is PDF/A-2u when its text can be copied, which is checked', async () => {
    const { conformance } = await jobOf(await generate(good, { archive: 'PDF/A-2u' }));
    expect(conformance).toMatchObject({ passed: true, standards: [{ standard: 'PDF/A-2u', passed: true }] });
  });

  test('comes with a warning when it fails the check', async () => {
    const answer = await generate(bad, { accessible: true });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('warnings')).toBe('1');
    const { conformance, warnings } = await jobOf(answer);
    expect(warnings).toEqual([
      {
        code: 'nonconformance',
        message: expect.stringContaining('The file does not conform to PDF/UA-1: heading-first'),
      },
    ]);
    expect(conformance).toMatchObject({
      passed: false,
      standards: [{ standard: 'PDF/UA-1', failures: [{ rule: 'heading-first', place: 'page 1, H3', count: 1 }] }],
    });
  });

  test('is refused free of charge when the request asks for it', async () => {
    const before = await client.quotas();
    const answer = await generate(bad, { accessible: true, onNonconformance: 'error' });
    const problem = expectProblem(answer, 400);
    expect(problem.message).toBe('The PDF does not conform to PDF/UA-1.');
    expect(problem.details).toMatchObject([{ type: 'Message', message: expect.stringContaining('heading-first') }]);
    expect(await client.quotas()).toStrictEqual(before);
    expect((await generate(good, { accessible: true, onNonconformance: 'error' })).status).toBe(200);
  });
});

test('a template reports what keeps its documents from being accessible, at upload and later', async () => {
  const uploaded = await client.template('bad.docx', buildDocx({ body: heading + paragraph('{x}') }));
  const codes = ({ accessibility }: { accessibility: { code: string }[] }) => accessibility.map(({ code }) => code);
  expect(codes(uploaded as never)).toEqual(['title_missing', 'language_missing', 'heading_first']);
  const read = await client.call('GET', `/v1/templates/${uploaded.id}`);
  expect((read.json() as { accessibility: unknown }).accessibility).toEqual(
    (uploaded as unknown as { accessibility: unknown }).accessibility,
  );
});
