import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { repairPackage } from '../../../../src/worker/docx/sanitize/repair/repair-package.ts';
import { RefreshLost } from '../../../../src/worker/pdf/office/office-error.ts';
import { buildDocx, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { contents, field, fieldStyles, pageBreak, styled } from '../../../support/documents/field-builder.ts';
import { mutateFields, seeded } from '../../../support/documents/mutate-fields.ts';
import { volume } from '../../../support/extended.ts';
import { textOf } from './office-fixture.ts';
import { useOffice } from './pool-for-test.ts';

const office = useOffice();

const entries = [
  { label: 'Alpha', page: '9', bookmark: '_Toc1' },
  { label: 'Beta', page: '9', bookmark: '_Toc2' },
];

/** A document with fields of many kinds in many places, some damaged, and the words outside its fields. */
function damagedDocument(seed: number): { readonly docx: Buffer; readonly words: readonly string[] } {
  const pick = seeded(seed);
  const words: string[] = [];
  const word = (): string => {
    words.push(`keep${words.length}x`);
    return words.at(-1) ?? '';
  };
  const keep = (): string => paragraph(word());
  const inline = (code: string, result: string): string => `<w:p>${run(`${word()} `)}${field(code, run(result))}</w:p>`;
  const index = `<w:p>${field('INDEX \\e ", "', run('apple, 8'))}</w:p>`;
  const control = `<w:sdt><w:sdtPr/><w:sdtContent>${contents('TOC \\o "1-1"', entries)}</w:sdtContent></w:sdt>`;
  const box = `<w:p><w:r><w:pict><v:shape style="width:200pt;height:80pt" type="#_x0000_t202"><v:textbox><w:txbxContent>${inline('SEQ Figure', '1')}${keep()}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`;
  const body = [
    ...[
      keep(),
      contents('TOC \\o "1-3" \\h \\z \\u', entries),
      keep(),
      inline('PAGE', '1'),
      inline('REF _Toc1 \\h', 'Alpha'),
    ],
    ...[inline('IF 1 = 2 "a" "b"', 'b'), table([[inline('DATE', 'today')], [index + keep()]]), box, control, keep()],
    ...[`<w:p>${run(word())}${footnoteReference(1)}</w:p>`, pageBreak, styled('Heading1', 'Alpha', '_Toc1'), keep()],
    ...[styled('Heading2', 'Beta', '_Toc2'), keep()],
  ].map((block) => mutateFields(block, pick));
  const headers = [mutateFields(inline('STYLEREF "Heading 1"', 'x') + keep(), pick)];
  const footnotes = [mutateFields(inline('NOTEREF _Toc1', '1'), pick)];
  const parts = { 'word/styles.xml': fieldStyles };
  return { docx: buildDocx({ body: body.join(''), headers, footnotes, parts }), words };
}

/** Converts as the worker does: without a refresh if that ends LibreOffice. */
async function convert(docx: Buffer): Promise<string> {
  const source = openPackage(docx);
  const repaired = writePackage(source, repairPackage(source).changes);
  const refreshed = office.pool.convert({ docx: repaired }).catch((error: unknown) => {
    if (!(error instanceof RefreshLost)) throw error;
    return office.pool.convert({ docx: repaired, refresh: false });
  });
  return await textOf((await refreshed).pdf);
}

test.each(Array.from({ length: volume(4, 12) }, (_, index) => index + 1))(
  'a document with damaged fields keeps its text and does not crash LibreOffice: seed %i',
  async (seed) => {
    const { docx, words } = damagedDocument(seed);
    const text = (await convert(docx)).replace(/\s+/g, '');
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
  },
);
