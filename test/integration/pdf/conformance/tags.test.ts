import { describe, expect, test } from 'vitest';
import type { PdfOptions } from '../../../../src/shared/output-options.ts';
import { checkPdf } from '../../../../src/worker/pdf/conformance/check-pdf.ts';
import { completeTags } from '../../../../src/worker/pdf/conformance/completion/complete-tags.ts';
import { openPdf } from '../../../../src/worker/pdf/conformance/open-pdf.ts';
import { requestedStandards } from '../../../../src/worker/pdf/conformance/standards.ts';
import { normalizePdf } from '../../../../src/worker/pdf/normalize/normalize-pdf.ts';
import { buildDocx, endnoteReference, footnoteReference, run } from '../../../support/documents/docx-builder.ts';
import { contents, field, fieldStyles, pageBreak, styled } from '../../../support/documents/field-builder.ts';
import { textOf } from '../office/office-fixture.ts';
import { engines, useOffice } from '../office/pool-for-test.ts';

const address = 'https://example.org/';
const entries = [
  { label: 'Alpha', page: '9', bookmark: '_Toc1' },
  { label: 'Beta', page: '9', bookmark: '_Toc2' },
];
const figures = [{ label: 'Figure 1 Map', page: '9', bookmark: '_Toc3' }];
const links = [
  `<w:hyperlink r:id="rIdL">${run('the (site) \\ of ')}${run('Größe Ελλάδα')}</w:hyperlink>`,
  `<w:hyperlink r:id="rIdL" w:tooltip="A tip">${run('a long link '.repeat(20))}</w:hyperlink>`,
  field(`HYPERLINK "${address}field"`, run('by a field')),
  field('REF _Toc2 \\h', run('Beta')),
  field('PAGEREF _Toc2 \\h', run('3')),
].join(run(' and '));
const body = [
  contents('TOC \\o "1-3" \\h \\z \\u', entries),
  contents('TOC \\h \\z \\c "Figure"', figures),
  `<w:p>${links}${footnoteReference(1)}${run(' more')}${footnoteReference(2)}${endnoteReference(1)}</w:p>`,
  `${pageBreak}${styled('Heading1', 'Alpha', '_Toc1')}${pageBreak}${styled('Heading2', 'Beta', '_Toc2')}`,
  styled('Normal', `${run('Figure ')}${field('SEQ Figure', run('1'))}${run(' Map')}${footnoteReference(3)}`, '_Toc3'),
].join('');
const docx = buildDocx({
  body,
  footnotes: ['one', 'two', 'three'].map((text) => `<w:p><w:r><w:footnoteRef/></w:r>${run(` ${text}`)}</w:p>`),
  endnotes: [`<w:p><w:r><w:endnoteRef/></w:r>${run(' the end')}</w:p>`],
  rels: [{ id: 'rIdL', type: 'hyperlink', target: address, external: true }],
  parts: { 'word/styles.xml': fieldStyles },
});

describe.each(engines)('contents, links and notes in $name', ({ sofficePath }) => {
  const office = useOffice({ sofficePath });

  const convert = async (pdf: PdfOptions) => {
    const converted = await office.pool.convert({ docx, pdf, filename: 'links.pdf' });
    return { before: converted.pdf, after: normalizePdf(await completeTags(converted.pdf), new Date(0)) };
  };

  test('are described and tagged as PDF/UA requires, alone and with PDF/A', async () => {
    for (const pdf of [{ accessible: true }, { accessible: true, archive: 'PDF/A-2b' }] as const) {
      const { before, after } = await convert(pdf);
      const failures = async (bytes: Uint8Array) =>
        (await checkPdf(bytes, requestedStandards(pdf))).standards.flatMap((report) =>
          report.failures.map(({ rule }) => rule),
        );
      expect(await failures(before)).toContain('link-tagged');
      expect(await failures(after)).toEqual([]);
      expect(await textOf(after)).toBe(await textOf(before));
    }
  });

  test('describe where a link leads in the words of the page or of its author', async () => {
    const file = await openPdf((await convert({ accessible: true })).after);
    const described = file.pages.flatMap(({ dict }) =>
      file.array(dict, 'Annots')?.map((annotation) => file.text(annotation as never, 'Contents')?.trim()),
    );
    expect(described).toEqual(expect.arrayContaining(['Alpha', 'Figure 1 Map', 'Beta', '2', '3']));
    if (sofficePath !== undefined) return;
    expect(described).toEqual(expect.arrayContaining(['the (site) \\ of Größe Ελλάδα', 'A tip', 'by a field']));
    expect(described.filter((text) => text?.startsWith('_'))).toEqual([]);
  });

  test('have the same bytes each time', async () => {
    const [one, two] = [await convert({ accessible: true }), await convert({ accessible: true })];
    expect(Buffer.compare(one.after, two.after)).toBe(0);
  });
});
