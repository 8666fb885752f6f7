import { PDF } from '@libpdf/core';
import { expect, test } from 'vitest';
import { joinPdfs } from '../../../../src/worker/pdf/join/join-pdfs.ts';

/** A PDF in the form in which LibreOffice writes it; `more` are its objects from number 6. */
function officePdf(catalog = '', more: readonly string[] = []): Buffer {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/OpenAction[4 0 R /XYZ null null null]\n${catalog}>>`,
    '<</Type/Pages/Kids[ 4 0 R 5 0 R ]\n/Count 2>>',
    '<</Length 3>>\nstream\nq Q\nendstream',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 3 0 R>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 3 0 R>>',
    ...more,
  ];
  let text = '%PDF-1.7\n';
  const entries = objects.map((object, i) => {
    const entry = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${i + 1} 0 obj\n${object}\nendobj\n\n`;
    return entry;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}${table}${trailer}`, 'latin1');
}

const bookmarks = (...titles: string[]): string[] => [
  `<</Type/Outlines/Count ${titles.length}/First 7 0 R/Last ${6 + titles.length} 0 R>>`,
  ...titles.map((title, i) => {
    const previous = i === 0 ? '' : `/Prev ${6 + i} 0 R`;
    const next = i === titles.length - 1 ? '' : `/Next ${8 + i} 0 R`;
    return `<</Title(${title})/Dest[4 0 R /XYZ 0 0 0]/Parent 6 0 R${previous}${next}>>`;
  }),
];
const withBookmarks = (...titles: string[]) => officePdf('/Outlines 6 0 R', bookmarks(...titles));
const part = (path: string, bytes: Uint8Array, title = '') => ({ path, title, bytes });

type Part = ReturnType<typeof part>;

function answerOf(pdf: Uint8Array, before: readonly Part[], after: readonly Part[]) {
  const content = new Map([...before, ...after].map(({ path, bytes }) => [path, bytes]));
  return joinPdfs({ pdf, before, after, content, maxPages: 10 });
}

async function join(pdf: Uint8Array, before: readonly Part[], after: readonly Part[]) {
  const answer = await answerOf(pdf, before, after);
  if (answer.kind === 'refused') throw new Error(`${answer.path} ${answer.problem}`);
  return { ...answer, file: await PDF.load(answer.pdf) };
}

/** The titles of the bookmarks, each found by following Next and confirmed by Prev. */
function titlesOf({ context }: PDF): string[] {
  const resolve = context.resolve.bind(context);
  const root = context.catalog.getDict().getDict('Outlines', resolve);
  const titles: string[] = [];
  let previous: string | undefined;
  for (let ref = root?.getRef('First'); ref !== undefined; ) {
    const item = resolve(ref) as NonNullable<typeof root>;
    titles.push(item.getString('Title')?.asString() ?? '');
    expect(item.getRef('Prev')?.toString()).toBe(previous);
    previous = ref.toString();
    ref = item.getRef('Next');
  }
  expect(root?.getRef('Last')?.toString()).toBe(previous);
  expect(root?.getNumber('Count')?.value).toBe(root === undefined ? undefined : titles.length);
  return titles;
}

test('pages come before and after those of the document, which opens at the first of all', async () => {
  const { file, addedPages } = await join(officePdf(), [part('p', officePdf())], [part('a', officePdf())]);
  expect([file.getPageCount(), addedPages]).toEqual([6, 4]);
  const [first] = file.context.pages.getPages();
  const action = [...(file.context.catalog.getDict().getArray('OpenAction') ?? [])];
  expect(String(action[0])).toBe(String(first));
  expect(titlesOf(file)).toEqual([]);
});

test.each([
  ['without any', officePdf(), officePdf(), []],
  ['of the document only', withBookmarks('A', 'B', 'C'), officePdf(), ['Cover', 'A', 'B', 'C', 'Terms']],
  ['of one bookmark', withBookmarks('A'), officePdf(), ['Cover', 'A', 'Terms']],
  ['of parts only', officePdf(), withBookmarks('X', 'Y'), ['Cover', 'Terms']],
])('bookmarks %s are joined', async (_title, pdf, other, expected) => {
  const { file } = await join(pdf, [part('p', other, 'Cover')], [part('a', other, 'Terms')]);
  expect(titlesOf(file)).toEqual(expected);
});

test('a document may have more objects than a call takes arguments', async () => {
  const objects = new Array<string>(150_000).fill('<<>>');
  const { addedPages } = await join(officePdf('', objects), [], [part('a', officePdf())]);
  expect(addedPages).toBe(2);
});

test('what only the catalog of a part connects with its pages is reported', async () => {
  const catalog =
    '/StructTreeRoot<<>>/AcroForm<<>>/OCProperties<<>>/PageLabels<<>>/Names<</EmbeddedFiles<<>>/Dests<<>>>>';
  const { losses } = await join(officePdf(), [], [part('a', officePdf()), part('b', officePdf(catalog))]);
  const [loss, ...others] = losses;
  expect([loss?.path, others]).toEqual(['b', []]);
  for (const word of ['tags', 'form fields', 'layers', 'page numbers', 'attachments', 'named places'])
    expect(loss?.lost.join()).toContain(word);
});

test.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
  ['a text', () => Buffer.from('hello'), /^is not a PDF$/],
  ['a file without its end', () => officePdf().subarray(0, 400), /^is damaged/],
  ['an encrypted file', encrypted, /^is encrypted/],
  ['too many pages', manyPages, /^brings the added pages to more than 10$/],
])('%s is refused with its path', async (_title, bytes, problem) => {
  const after = [part('good', officePdf()), part('bad', await bytes())];
  const answer = await answerOf(officePdf(), [], after);
  expect(answer).toEqual({ kind: 'refused', path: 'bad', problem: expect.stringMatching(problem) });
});

async function encrypted(): Promise<Uint8Array> {
  const pdf = await PDF.load(officePdf());
  pdf.setProtection({ algorithm: 'AES-256', ownerPassword: 'owner' });
  return pdf.save();
}

async function manyPages(): Promise<Uint8Array> {
  const pdf = PDF.create();
  for (let i = 0; i < 9; i++) pdf.addPage();
  return pdf.save();
}
