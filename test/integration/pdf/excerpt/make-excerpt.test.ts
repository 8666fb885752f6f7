import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { makeExcerpt as makeExcerptInTime } from '../../../../src/worker/pdf/excerpt/make-excerpt.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';
import { textOf } from '../office/office-fixture.ts';

/** With time for large pages, however busy the machine is. */
const makeExcerpt = (...[pdf, excerpt]: Parameters<typeof makeExcerptInTime>) =>
  makeExcerptInTime(pdf, excerpt, { timeoutMs: 240_000 });
const threePages = plainPdf({ pages: ['first page', 'second page', 'third page'] });
const withBox = (box: string): Buffer =>
  Buffer.from(threePages.toString('latin1').replace('[0 0 300 200]', box.padEnd(13)), 'latin1');

test('an excerpt has the first pages, without the text of the others', async () => {
  const pdf = await makeExcerpt(threePages, { format: 'pdf', pages: 2 });
  const text = await textOf(pdf);
  expect(text).toContain('second page');
  expect(text).not.toContain('third page');
  expect(Buffer.from(pdf).toString('latin1')).not.toContain('third page');
});

test('a page is drawn in the requested resolution', async () => {
  const draw = async (page: number, dpi: number) =>
    PNG.sync.read(Buffer.from(await makeExcerpt(threePages, { format: 'png', page, dpi })));
  const [small, large, other] = await Promise.all([draw(1, 72), draw(1, 144), draw(3, 72)]);
  expect([small.width, small.height, large.width, large.height]).toEqual([300, 200, 600, 400]);
  expect(small.data.equals(other.data)).toBe(false);
  expect(small.data.some((value, at) => at % 4 < 3 && value < 100)).toBe(true);
});

describe('limits', () => {
  test('a page with too many pixels names the resolution that is possible', async () => {
    const poster = withBox('[0 0 9999 9999]');
    await expect(makeExcerpt(poster, { format: 'png', page: 1, dpi: 200 })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'preview.dpi', message: expect.stringMatching(/at most 32$/) }],
    });
    expect((await makeExcerpt(poster, { format: 'png', page: 1, dpi: 32 })).length).toBeGreaterThan(100);
  });

  test('a PDF that cannot be read is reported as the fault of the document', async () => {
    for (const excerpt of [
      { format: 'png', page: 1, dpi: 96 },
      { format: 'pdf', pages: 1 },
    ] as const)
      await expect(makeExcerpt(Buffer.from('%PDF-1.7 nothing'), excerpt)).rejects.toMatchObject({
        code: 'conversion_failed',
      });
  });

  test('the process is killed at the time limit', async () => {
    const late = makeExcerptInTime(threePages, { format: 'png', page: 1, dpi: 96 }, { timeoutMs: 1 });
    await expect(late).rejects.toMatchObject({ code: 'conversion_timeout' });
  });
});
