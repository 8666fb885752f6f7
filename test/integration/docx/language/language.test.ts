import { afterAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../../../src/shared/logger.ts';
import { createDocxPool, type RenderRequest } from '../../../../src/worker/docx/sandbox/docx-pool.ts';
import { docxText, partOf, pdfLinks, pdfText } from '../../../support/documents/document-text.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { startTestPool } from '../../pdf/office/office-fixture.ts';
import { expressionCases } from './expression-cases.ts';
import type { DetailPattern, Failure, Success } from './language-case.ts';
import { pictureCases } from './picture-cases.ts';
import { refusedDataCases } from './refused-data-cases.ts';
import { refusedRichDataCases, refusedRichTemplateCases } from './refused-rich-cases.ts';
import { refusedTemplateCases } from './refused-template-cases.ts';
import { richCases } from './rich-cases.ts';
import { sectionCases } from './section-cases.ts';
import { structureCases } from './structure-cases.ts';
import { valueCases } from './value-cases.ts';

const logger = createLogger('silent', 'test');
const docx = createDocxPool({
  processes: 2,
  renderTimeoutMs: 20_000,
  inspectTimeoutMs: 20_000,
  heapMb: 512,
  maxQueue: 1_000,
  templateCacheBytes: 8 * 1024 * 1024,
  logger,
});
const office = await startTestPool({ convertTimeoutMs: 60_000, memoryLimitBytes: 4 * 1024 ** 3 });
afterAll(async () => {
  await Promise.all([docx.close(), office.close()]);
});

let templates = 0;

function requestOf(template: Buffer, { data, options }: Success | Failure): Omit<RenderRequest, 'target'> {
  templates += 1;
  return { templateKey: `case ${templates}`, template, data: Buffer.from(JSON.stringify(data)), options };
}

const successes: Readonly<Record<string, readonly Success[]>> = {
  values: valueCases,
  sections: sectionCases,
  expressions: expressionCases,
  pictures: pictureCases,
  'HTML and links': richCases,
  structure: structureCases,
};
const failures: Readonly<Record<string, readonly Failure[]>> = {
  'refused templates': refusedTemplateCases,
  'refused data': refusedDataCases,
  'refused templates with pictures, links and columns': refusedRichTemplateCases,
  'refused pictures, HTML and links': refusedRichDataCases,
};

test('there are at least 150 cases, half of them failures', () => {
  const [good, bad] = [Object.values(successes).flat().length, Object.values(failures).flat().length];
  expect(good + bad).toBeGreaterThanOrEqual(150);
  expect(bad).toBeGreaterThanOrEqual(75);
});

describe.each(Object.entries(successes))('%s', (_group, cases) => {
  test.each(cases)('$name', async (expected) => {
    const template = buildDocx(expected.template);
    await docx.inspect(template);
    const request = requestOf(template, expected);
    const { docx: file, warnings } = await docx.render({ ...request, target: 'docx' });
    expect(docxText(file).split('\n').filter(Boolean)).toEqual(expected.lines.filter(Boolean));
    for (const [part, lines] of Object.entries(expected.parts ?? {})) {
      expect(docxText(file, part).split('\n')).toEqual(lines);
    }
    const xml = partOf(file);
    for (const pattern of expected.markup ?? []) expect(xml).toMatch(pattern);
    expect(warnings.map(({ code }) => code)).toEqual(expected.warnings ?? []);
    expect(await addedProblems(template, file)).toEqual([]);
    await expectPdf(request, expected);
  });
});

describe.each(Object.entries(failures))('%s', (_group, cases) => {
  test.each(cases)('$name', async (expected) => {
    const template = buildDocx(expected.template);
    const atUpload = await detailsOf(docx.inspect(template));
    if (expected.data !== undefined) {
      expect(atUpload).toBeUndefined();
      const request = requestOf(template, expected);
      for (const target of ['docx', 'pdf'] as const) {
        expectDetails(await detailsOf(docx.render({ ...request, target })), expected.details);
      }
    } else {
      expectDetails(atUpload, expected.details);
      const request = requestOf(template, { ...expected, data: {} });
      expect(await detailsOf(docx.render({ ...request, target: 'docx' }))).toEqual(atUpload);
    }
  });
});

/** Expects the PDF to contain the words of the document, wherever LibreOffice breaks lines. */
async function expectPdf(request: Omit<RenderRequest, 'target'>, expected: Success): Promise<void> {
  const { docx: file } = await docx.render({ ...request, target: 'pdf' });
  const { pdf, pages } = await office.pool.convert({ docx: file });
  if (expected.pages !== undefined) expect(pages).toBe(expected.pages);
  if (expected.links !== undefined) expect(await pdfLinks(pdf)).toEqual(expected.links);
  const text = await pdfText(pdf);
  for (const word of expected.lines.flatMap((line) => line.split(/[^\p{L}\p{N}.,]+/u))) expect(text).toContain(word);
}

type Details = readonly Readonly<Record<string, unknown>>[];

async function detailsOf(call: Promise<unknown>): Promise<Details | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    expect((error as { code?: string }).code).toMatch(/^(template_invalid|data_invalid|invalid_request|render_limit)$/);
    return (error as { details?: Details }).details ?? [];
  }
}

function expectDetails(found: Details | undefined, expected: readonly DetailPattern[]): void {
  const patterns = expected.map(({ message, hint, ...exact }) => ({
    type: exact.path === undefined ? 'Message' : 'Field',
    message: expect.stringMatching(message),
    ...(hint !== undefined && { hint: expect.stringMatching(hint) }),
    ...exact,
  }));
  expect(found).toMatchObject(patterns);
}
