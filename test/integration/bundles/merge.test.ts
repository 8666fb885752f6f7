import { randomBytes } from 'node:crypto';
import { PDF, PdfArray, type PdfDict, PdfRef, type PdfString } from '@libpdf/core';
import { Bookmark, Document, InternalHyperlink, Packer, Paragraph, TextRun } from 'docx';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MergeOptions, mergePdfs } from '../../../src/worker/pdf/merge/merge-pdfs.ts';
import { protectPdf } from '../../../src/worker/pdf/protect/protect-pdf.ts';
import { plainPdf } from '../../support/documents/plain-pdf.ts';
import { failureOf, imagesOf, infoOf, textOf } from '../pdf/office/office-fixture.ts';
import { poolForTest } from '../pdf/office/pool-for-test.ts';

const options: MergeOptions = { title: 'Bündel (1)', heapMb: 256, timeoutMs: 300_000 };

async function* inputs(files: readonly Uint8Array[]) {
  for (const [index, bytes] of files.entries()) yield { row: index + 1, title: `Dokument ${index + 1} ©`, bytes };
}

const merge = (files: readonly Uint8Array[]): Promise<Buffer> => collect(mergePdfs(inputs(files), options));

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pagesOf = async (pdf: Uint8Array): Promise<string[]> =>
  (await textOf(pdf))
    .split('\f')
    .slice(0, -1)
    .map((page) => page.trim());

/** Bookmarks as `title > title: page`, pages counted from 1. */
async function bookmarksOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDF.load(bytes);
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const pages = pdf.context.pages.getPages().map(String);
  const walk = (parent: PdfDict, path: string): string[] => {
    const found: string[] = [];
    for (let item = parent.getDict('First', resolve); item !== undefined; item = item.getDict('Next', resolve)) {
      const title = `${path}${(item.get('Title', resolve) as PdfString).asString()}`;
      found.push(`${title}: ${pages.indexOf(String(item.getArray('Dest', resolve)?.at(0))) + 1}`);
      found.push(...walk(item, `${title} > `));
    }
    return found;
  };
  const root = pdf.context.catalog.getDict().getDict('Outlines', resolve);
  if (root === undefined) throw new Error('no bookmarks');
  return walk(root, '');
}

/** For each page, the target pages of its links, counted from 1; 0 is a page outside the page tree. */
async function linksOf(bytes: Uint8Array): Promise<number[][]> {
  const pdf = await PDF.load(bytes);
  const resolve = (ref: PdfRef) => pdf.context.resolve(ref);
  const pages = pdf.context.pages.getPages();
  return pages.map((ref) => {
    const page = resolve(ref) as PdfDict;
    const links = [...(page.getArray('Annots', resolve) ?? new PdfArray())];
    return links.flatMap((link) => {
      const dict = (link instanceof PdfRef ? resolve(link) : link) as PdfDict;
      const target = (dict.getArray('Dest', resolve) ?? dict.getDict('A', resolve)?.getArray('D', resolve))?.at(0);
      return target === undefined ? [] : [pages.findIndex((other) => String(other) === String(target)) + 1];
    });
  });
}

/** A page that links to the last of the following chapters, each on a separate page. */
function chapters(text: string, names: readonly string[]): Promise<Buffer> {
  const target = names.at(-1) ?? '';
  const link = new InternalHyperlink({
    anchor: target,
    children: [new TextRun({ text: `to ${target}`, style: 'Hyperlink' })],
  });
  const pages = names.map(
    (name) =>
      new Paragraph({
        outlineLevel: 0,
        pageBreakBefore: true,
        children: [new Bookmark({ id: name, children: [new TextRun(`${text} ${name}`)] })],
      }),
  );
  return Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph({ children: [link] }), ...pages] }] }));
}

describe('merging PDFs', () => {
  it('keeps every page in order, its size, its links, and a bookmark for each document', async () => {
    const files = [['one', 'two'], ['three'], ['four', 'five', 'six']].map((pages) => plainPdf({ pages }));
    const merged = await merge(files);
    expect(await pagesOf(merged)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
    expect(await linksOf(merged)).toEqual([[2], [2], [3], [6], [6], [6]]);
    expect(await bookmarksOf(merged)).toEqual(['Dokument 1 ©: 1', 'Dokument 2 ©: 3', 'Dokument 3 ©: 4']);
    const info = await infoOf(merged, '-l', '6');
    expect(info).toMatch(/Title: +Bündel \(1\)/);
    expect(info.match(/Page +\d size: +300 x 200 pts/g)).toHaveLength(6);
  });

  it('writes a picture once that all documents show', async () => {
    const picture = randomBytes(250_000);
    const side = Buffer.concat([picture, Buffer.alloc(250_000 - picture.length)]);
    const files = Array.from({ length: 20 }, (_, index) => plainPdf({ pages: [`page ${index}`], picture: side }));
    const merged = await merge(files);
    expect(await imagesOf(merged)).toHaveLength(20);
    expect(merged.length).toBeLessThan(280_000);
  });

  it('accepts PDFs from LibreOffice: keeps links and headings, drops structure tags, rejects encrypted files', async () => {
    const { pool } = await poolForTest();
    const files = await Promise.all(
      ['A', 'B'].map(async (text) => {
        const docx = await chapters(text, ['start', 'end']);
        return (await pool.convert({ docx, pdf: { accessible: true } })).pdf;
      }),
    );
    const merged = await merge(files);
    expect(await pagesOf(merged)).toEqual(['to end', 'A start', 'A end', 'to end', 'B start', 'B end']);
    expect(await linksOf(merged)).toEqual([[3], [], [], [6], [], []]);
    expect(await bookmarksOf(merged)).toEqual([
      'Dokument 1 ©: 1',
      'Dokument 1 © > A start: 2',
      'Dokument 1 © > A end: 3',
      'Dokument 2 ©: 4',
      'Dokument 2 © > B start: 5',
      'Dokument 2 © > B end: 6',
    ]);
    expect(await infoOf(merged)).toMatch(/Tagged: +no/);
    const locked = await protectPdf(plainPdf({ pages: ['x'] }), { password: 'secret' }, { timeoutMs: 300_000 });
    expect(await failureOf(merge([...files, locked]))).toMatchObject({
      code: 'conversion_failed',
      retry: false,
      message: expect.stringMatching(/row 3 .*encrypted/),
    });
  });
});

describe('a merge that fails', () => {
  it('names the row whose file is not a PDF', async () => {
    const error = await failureOf(merge([plainPdf({ pages: ['one'] }), Buffer.from('not a PDF at all')]));
    expect(error).toMatchObject({ code: 'conversion_failed', retry: false, message: expect.stringMatching(/row 2 /) });
  });

  it('reports the error that occurred while reading a document', async () => {
    async function* broken() {
      yield { row: 1, title: 'one', bytes: plainPdf({ pages: ['one'] }) };
      throw new Error('the store is unreachable');
    }
    const stream = mergePdfs(broken(), options);
    const error = await failureOf(collect(stream));
    expect(String((error as Error).cause) + String(((error as Error).cause as Error | undefined)?.cause)).toMatch(
      /the store is unreachable/,
    );
  });

  it('ends at its deadline, together with its process', async () => {
    const ended = new Promise<void>((resolve) => onTestFinished(() => resolve()));
    async function* endless() {
      yield { row: 1, title: 'one', bytes: plainPdf({ pages: ['one'] }) };
      await ended;
    }
    const stream = mergePdfs(endless(), { ...options, timeoutMs: 1_000 });
    expect(await failureOf(collect(stream))).toMatchObject({ code: 'internal', retry: true });
  });

  it('stops when the merged file is no longer consumed', async () => {
    const taken = new Set<number>();
    async function* many() {
      for (let row = 1; row <= 2_000; row++) {
        taken.add(row);
        yield { row, title: `${row}`, bytes: plainPdf({ pages: ['x'], picture: randomBytes(90_000) }) };
      }
    }
    for await (const chunk of mergePdfs(many(), options)) if (chunk.length > 0) break;
    expect(taken.size).toBeLessThan(200);
  });
});
